import { objectionToIdentity } from './issuer.ts'
import { headerIn, reply, type TokenAsk, type TokenReply } from './token-book.ts'

export const OPENAI_IDENTITY = { identity_provider_id: 'wip_fake', service_account_id: 'user_fake' } as const
export const ANTHROPIC_IDENTITY = {
  federation_rule_id: 'fdrl_fake',
  organization_id: '00000000-0000-0000-0000-00000000fa4e',
  service_account_id: 'svac_fake',
} as const

/** https://developers.openai.com/api/reference/workload-identity-federation */
export function openaiTokens({ json, book }: TokenAsk): TokenReply {
  const isForm =
    json['grant_type'] === 'urn:ietf:params:oauth:grant-type:token-exchange' &&
    json['subject_token_type'] === 'urn:ietf:params:oauth:token-type:jwt'
  if (!isForm) return reply(400, { error: 'invalid_request', error_description: 'Unsupported grant type.' })
  const objection = objectionToIdentity(String(json['subject_token']), 'https://api.openai.com/v1', book.now())
  if (objection !== null)
    return reply(400, { error: 'invalid_grant', error_description: `The subject token is invalid: ${objection}.` })
  if (!hasAll(json, OPENAI_IDENTITY)) {
    return reply(403, { error: 'access_denied', error_description: 'No matching service account mapping.' })
  }
  const { token } = book.bearer('fake-openai-')
  const type = 'urn:ietf:params:oauth:token-type:access_token'
  return reply(200, {
    access_token: token,
    issued_token_type: type,
    token_type: 'Bearer',
    expires_in: book.lifeSeconds,
  })
}

/** https://platform.claude.com/docs/en/manage-claude/wif-reference */
export function anthropicTokens(ask: TokenAsk): TokenReply {
  const { json, book } = ask
  const refused = (status: number, type: string, message: string) =>
    reply(status, { type: 'error', error: { type, message } })
  if (!headerIn(ask, 'anthropic-beta').includes('oidc-federation-2026-04-01'))
    return refused(400, 'invalid_request_error', 'anthropic-beta')
  if (json['grant_type'] !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    return refused(400, 'invalid_request_error', 'grant_type')
  const objection = objectionToIdentity(String(json['assertion']), 'https://api.anthropic.com', book.now())
  if (objection !== null || !hasAll(json, ANTHROPIC_IDENTITY)) {
    return refused(
      401,
      'authentication_error',
      `The federation rule does not match the identity token${objection === null ? '' : `: ${objection}`}.`,
    )
  }
  const { token } = book.bearer('sk-ant-oat01-')
  return reply(200, { access_token: token, token_type: 'Bearer', expires_in: book.lifeSeconds })
}

function hasAll(json: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => json[name] === value)
}
