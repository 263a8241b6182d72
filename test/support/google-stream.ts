/**
 * Reads a stream as Google's SDK does (@google/genai 3.1, `processStreamResponse`): events end with one of three borders, begin
 * with `data:` or are passed over, and have JSON on what follows. What is left at the end without a border is an error.
 */
export async function readGoogleStream(response: Response): Promise<unknown[]> {
  const decoder = new TextDecoder()
  const found: unknown[] = []
  let rest = ''
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes as Uint8Array, { stream: true })
    for (let border = firstBorder(rest); border !== null; border = firstBorder(rest)) {
      const event = rest.slice(0, border.at).trim()
      rest = rest.slice(border.at + border.length)
      if (event.startsWith('data:')) found.push(JSON.parse(event.slice(5).trim()))
    }
  }
  if (rest.trim() !== '') throw new Error(`Incomplete JSON segment at the end: ${rest}`)
  return found
}

function firstBorder(text: string): { readonly at: number; readonly length: number } | null {
  const places = ['\n\n', '\r\r', '\r\n\r\n'].map((border) => ({ at: text.indexOf(border), length: border.length }))
  return places.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at)[0] ?? null
}
