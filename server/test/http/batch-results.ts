/** The result of each item of a batch, with the code of a refusal. */
export const resultsOf = (reply: {
  body: { data: { results: { status: string; code: string | null }[] } };
}) => reply.body.data.results.map(({ status, code }) => (code === null ? status : `${status} ${code}`));
