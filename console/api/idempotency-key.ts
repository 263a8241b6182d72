/**
 * A name for one wish, so that sending it twice does it once. Not `crypto.randomUUID`: browsers have that on https and
 * localhost alone, and this console is also opened on plain http in a local network.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
