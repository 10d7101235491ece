import { DOCUMENTED_RULES } from './validation.ts';

/** The largest amount: the largest number of ten-thousandths that a number holds exactly. */
export const AMOUNT_MAX = 900_719_925_474.0991;

/**
 * The limits of an amount in the OpenAPI document. A description says that there are at most four decimal places:
 * most validators compute `multipleOf` with binary fractions and would refuse amounts such as 0.0003.
 */
export function amountRules(rules: object = {}): object {
  return { [DOCUMENTED_RULES]: { maximum: AMOUNT_MAX, ...rules } };
}
