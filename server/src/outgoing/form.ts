/** A message with a picture, as chat platforms accept it. */
export interface PictureForm {
  /** The message as JSON. */
  payload: string;
  picture: Uint8Array;
  fileName: string;
  boundary: string;
}

/** A form with two parts, the message and the picture. */
export function toForm({ payload, picture, fileName, boundary }: PictureForm) {
  const head = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="payload_json"',
    'Content-Type: application/json',
    '',
    payload,
    `--${boundary}`,
    `Content-Disposition: form-data; name="files[0]"; filename="${fileName}"`,
    'Content-Type: image/png',
    '',
    '',
  ].join('\r\n');
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
