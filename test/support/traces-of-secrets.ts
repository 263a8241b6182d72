const TRACE_CHARACTERS = 20

/**
 * The pieces of a secret by which any part of it is found that is of use: its beginning, its middle and its end, line by line, as
 * it stands and as base64 and URLs have it.
 */
export function tracesOf(secret: string): readonly string[] {
  const lines = secret.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
  return [...new Set(lines.flatMap(piecesOf).flatMap((piece) => [piece, encodeURIComponent(piece), inBase64(piece)]))]
}

function piecesOf(line: string): readonly string[] {
  if (line.length <= TRACE_CHARACTERS) return [line]
  const starts = [0, Math.floor((line.length - TRACE_CHARACTERS) / 2), line.length - TRACE_CHARACTERS]
  return starts.map((start) => line.slice(start, start + TRACE_CHARACTERS))
}

/** The characters that stand for it wherever it begins at a multiple of three bytes. */
function inBase64(piece: string): string {
  return Buffer.from(piece)
    .toString('base64')
    .replace(/.{0,4}=*$/, '')
}
