import { IMAGE_TOKENS } from '../core/media-tokens.ts'

const NAMED = /"(?:image_url|url|file_url|fileUri|file_uri)"\s{0,8}:\s{0,8}"(?:https?|gs):/g

/** Tokens of the pictures and files that a request names by a URL, at the least: their sizes are not known. */
export function namedPictureTokens(body: Buffer): number {
  return (body.toString('latin1').match(NAMED)?.length ?? 0) * IMAGE_TOKENS
}
