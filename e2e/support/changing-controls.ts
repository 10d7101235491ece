import type { Page } from 'playwright-core';
import { waitUntilLoaded } from './steps.ts';

/** The names of buttons and boxes that change only what is shown, or settings of the person. */
const reading =
  /^(Date range|Date of the|Views$|Columns$|Compare with|Show all \d+$|Copy the|Page \d|Previous|Next|Newer$|Older$|Close the|Print$|Receipt$|(Deposit|Withdrawal) [+−])|show details$/;

/** The names of the controls of the open page, and of its dialog, that change something of the guild. */
export async function findChangingControls(page: Page): Promise<string[]> {
  await waitUntilLoaded(page);
  const names = await page
    .locator('main, [role="dialog"]')
    .locator('button:not([role="tab"], thead *), input[type="checkbox"], [role="switch"]')
    .evaluateAll((controls) =>
      controls
        .filter((control) => control.checkVisibility())
        .map((control) => {
          const [label] = control instanceof HTMLInputElement ? (control.labels ?? []) : [];
          return control.getAttribute('aria-label') ?? label?.textContent ?? control.textContent ?? '';
        }),
    );
  return names.filter((name) => !reading.test(name));
}
