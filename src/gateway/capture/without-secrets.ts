const MASK = '[removed]'

/**
 * A text without these secrets: as they are, with some of their characters escaped as JSON or addresses have it, and within Base64;
 * and without whatever else has the form of a key of this gateway or of a known provider, since people paste them into
 * conversations. The text and the secrets have one character for each byte.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let left = text
  for (const secret of secrets) {
    for (const form of formsOf(secret)) left = left.replaceAll(form, MASK)
    if (ESCAPES.test(left)) left = left.replaceAll(escapedForm(secret), MASK)
  }
  return left.replaceAll(KEYS, MASK)
}

const ESCAPES = /[\\%]/

/** A secret as it is, and as it stands in Base64, wherever in what was encoded it begins. Short ones would be found by chance. */
function formsOf(secret: string): readonly string[] {
  const encoded = [0, 1, 2].map((before) => withinBase64(secret, before)).filter((form) => form.length >= SHORTEST)
  const url = encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))
  return [secret, ...new Set([...encoded, ...url])]
}

const SHORTEST = 12

/** The characters that say nothing but the secret, which begins `before` bytes behind a multiple of three. */
function withinBase64(secret: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret, 'latin1')])
  const first = Math.ceil((before * 8) / 6)
  return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6))
}

/** Each character as it is, behind backslashes, or as `\u0073` or `%73`. A text in a text has its backslashes doubled. */
function escapedForm(secret: string): RegExp {
  const characters = secret.split('').map((character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, '0')
    const hex = code.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
    return String.raw`(?:\\{1,8}u00${hex}|%${hex}|\\{0,8}${RegExp.escape(character)})`
  })
  return new RegExp(characters.join(''), 'g')
}

/** Keys by the beginnings that their makers gave them: of this gateway, OpenAI and those like it, Google, AWS, GitHub, Slack and others. */
const KEYS = new RegExp(
  [
    String.raw`\b(?:sk|pk|rk|xai|gsk|pplx|nvapi|glpat|xox[abeprs])-[\w-]{16,}`,
    String.raw`\b(?:gh[opsur]|github_pat|hf|r8|fw|tgp)_\w{16,}`,
    String.raw`\btg-pat-[\w-]{16,}`,
    String.raw`\bAIza[\w-]{30,}`,
    String.raw`\b(?:AKIA|ASIA)[A-Z\d]{16}\b`,
    String.raw`\bya29\.[\w-]{20,}`,
    String.raw`\beyJ[\w-]{16,}\.eyJ[\w-]{16,}\.[\w-]{8,}`,
    String.raw`(?<=\bBearer )[\w.~+/=-]{16,}`,
  ].join('|'),
  'g',
)
