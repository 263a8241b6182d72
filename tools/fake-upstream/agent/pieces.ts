/** Text in pieces of some characters, as it is streamed; never torn inside a character. */
export function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? []
}
