import { GuildbookError } from '@guildbook/client';

/** The error a call ends with. A call that succeeds fails the test. */
export async function refusalOf(call: Promise<unknown>): Promise<GuildbookError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof GuildbookError) {
      return error;
    }
    throw error;
  }
  throw new Error('the call succeeded');
}
