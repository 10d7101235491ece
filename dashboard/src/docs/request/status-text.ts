// HTTP/2 sends no reason phrase, so the common ones are kept here.
const phrases: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function statusPhrase(status: string): string {
  return phrases[status] ?? '';
}

export type StatusTone = 'good' | 'caution' | 'bad' | 'neutral';

export function statusTone(status: string): StatusTone {
  switch (status[0]) {
    case '2':
      return 'good';
    case '4':
      return 'caution';
    case '5':
      return 'bad';
    default:
      return 'neutral';
  }
}
