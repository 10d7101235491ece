const home = '/dashboard/';

/**
 * The path of this dashboard to open after the sign-in. Anything else, in particular an address of another site,
 * becomes the start page. The service checks it again.
 */
export function readReturnPath(search: string): string {
  const wanted = new URLSearchParams(search).get('returnTo') ?? home;
  if (!wanted.startsWith(home)) return home;
  // Resolved as a browser does it, so that no "..", backslash or control character leads elsewhere.
  const base = 'http://dashboard.invalid';
  const url = URL.parse(wanted, base);
  if (url === null || url.origin !== base || !url.pathname.startsWith(home)) return home;
  const isDeadEnd = /^\/dashboard\/(?:sign-in|api)(?:\/|$)/.test(url.pathname);
  return isDeadEnd ? home : `${url.pathname}${url.search}${url.hash}`;
}

/** The address of the sign-in page that leads back to the present page. */
export function signInAddress(location: { pathname: string; search: string; hash: string }): string {
  const path = `/dashboard${location.pathname}${location.search}${location.hash}`;
  return path === home ? '/sign-in' : `/sign-in?${new URLSearchParams({ returnTo: path })}`;
}

/** The address that starts the sign-in at the service, which redirects to the chat platform. */
export function signInStart(returnPath: string): string {
  return `/dashboard/api/sign-in?${new URLSearchParams({ returnTo: returnPath })}`;
}
