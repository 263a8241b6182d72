/** What a picture costs at least, as those that are sent are estimated; see `reading/input-estimate.ts`. */
const PICTURE_TOKENS = 1_600

const NAMED = /"(?:image_url|url|file_url|fileUri|file_uri)"\s{0,8}:\s{0,8}"(?:https?|gs):/g

/** Tokens of the pictures and files that a request names by a URL, at the least: their sizes are not known. */
export function namedPictureTokens(body: Buffer): number {
  return (body.toString('latin1').match(NAMED)?.length ?? 0) * PICTURE_TOKENS
}
