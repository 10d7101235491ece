/** Made by the plugin in dashboard/reply-checks.ts. */
declare module 'virtual:reply-checks' {
  export const checks: Readonly<Record<import('./replies.ts').ReplyName, (answer: unknown) => boolean>>;
}
