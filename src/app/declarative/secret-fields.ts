import { CREDENTIAL } from '../../contract/objects/credential.ts'
import { UPSTREAM } from '../../contract/objects/upstream.ts'

/** The fields of the file whose values, and all that is below them, stand in no message. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  ...[UPSTREAM, CREDENTIAL].flatMap((fields) =>
    Object.entries(fields).flatMap(([name, field]) => ('isSecret' in field ? [name] : [])),
  ),
  'credential',
  'custom_key',
  'password',
  'password_hash',
  'secret_hash',
])
