/** The forms of secrets: a line that fits into a header, a key file of Google, a certificate with its private key. */
export type SecretForm = 'line' | 'json' | 'pem'

export const CREDENTIAL_FORM = 'a credential of printable ASCII characters, without line breaks'

/** A static secret is sent in a header. */
export function isSecretLine(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

/** Printable ASCII with line breaks, as key files have it. */
export function isSecretFile(text: string): boolean {
  return /^[\x20-\x7e\t\r\n]+$/.test(text) && /\S/.test(text)
}

/**
 * What is wrong with the secret of a kind of credential; null: nothing that can be seen in it. What a configuration of Google
 * may name (files, hosts) depends on the machine, and is judged where tokens are minted.
 */
export function objectionToSecret(form: SecretForm, kind: string, secret: string): string | null {
  if (form === 'line') return isSecretLine(secret) ? null : CREDENTIAL_FORM
  if (form === 'pem') {
    const hasBoth = /-----BEGIN CERTIFICATE-----/.test(secret) && /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/.test(secret)
    return hasBoth ? null : 'must have the certificate and its private key, both in PEM'
  }
  return kind === 'gcp' ? objectionToGoogleFile(secret) : null
}

/** A configuration of Google, as its key files and those of its federation are written. */
export type GoogleFile = Readonly<Record<string, unknown>>

/** The JSON object in a text; null: it is none. */
export function googleFileIn(text: string): GoogleFile | null {
  try {
    return fieldsIn(JSON.parse(text))
  } catch {
    return null
  }
}

/** Fields of a value that is an object; null: it is none. */
export function fieldsIn(value: unknown): GoogleFile | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as GoogleFile) : null
}

function objectionToGoogleFile(secret: string): string | null {
  const file = googleFileIn(secret)
  if (file === null) return 'must be the JSON file of Google, whole'
  if (file['type'] === 'service_account') {
    const isWhole = typeof file['client_email'] === 'string' && typeof file['private_key'] === 'string'
    return isWhole ? null : 'must be the key file of a service account, with its client_email and private_key'
  }
  if (file['type'] !== 'external_account') {
    return 'must be the key file of a service account, or a configuration of workload identity federation'
  }
  const source = fieldsIn(file['credential_source'])
  if (source === null) return 'must have a credential_source'
  if ('executable' in source) return 'must not run a program: credential_source.executable is never used'
  if ('certificate' in source) return 'must not use credential_source.certificate'
  return null
}
