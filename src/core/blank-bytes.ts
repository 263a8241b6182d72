/** Whether JSON has nothing in them: some upstreams send such bytes as signs of life, before a whole answer. */
export function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false
  return true
}
