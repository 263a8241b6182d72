import { readFile } from 'node:fs/promises'
import { sourceOf } from '../../core/credential-kind.ts'
import { CredentialFailure } from '../cloud-upstream.ts'
import { type MintedFor, type Minter, type MintingMachine, settingOf, tokenFileOf } from './minter.ts'
import { lifeIn, requestToken, textIn } from './token-request.ts'

/** The exchange takes no longer one. https://platform.claude.com/docs/en/manage-claude/wif-reference */
const LONGEST_IDENTITY_BYTES = 16_384

/** Federation: the identity token in a file of this machine is exchanged for one of the provider. */
export function oidcMinter(of: MintedFor, machine: MintingMachine): Minter {
  const exchange = EXCHANGES[sourceOf('oidc', of.credential.settings ?? {})] ?? openaiExchange
  return {
    scope: 'oidc',
    async mint(signal) {
      const identity = await identityIn(tokenFileOf(machine, settingOf(of, 'token_file')), signal)
      const { url, headers, body } = exchange(of, identity)
      const request = {
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }
      const { fields } = await requestToken(machine.fetch, url, request)
      return { value: { is: 'bearer', token: textIn(fields, 'access_token') }, lifeMs: lifeIn(fields) }
    },
  }
}

/** The identity token in a file, which those who put it there renew. Rejects with a CredentialFailure that names no path. */
async function identityIn(path: string, signal: AbortSignal): Promise<string> {
  let text: string
  try {
    text = (await readFile(path, { encoding: 'utf8', signal })).trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new CredentialFailure(`The file of the identity token cannot be read${code}.`)
  }
  if (text === '' || text.length > LONGEST_IDENTITY_BYTES || !/^[\x21-\x7e]+$/.test(text)) {
    throw new CredentialFailure('The file of the identity token holds no token.')
  }
  return text
}

interface IdentityExchange {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, string | null>>
}

/** https://developers.openai.com/api/reference/workload-identity-federation */
function openaiExchange(of: MintedFor, identity: string): IdentityExchange {
  return {
    url: 'https://auth.openai.com/oauth/token',
    headers: {},
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      subject_token: identity,
      identity_provider_id: settingOf(of, 'identity_provider_id'),
      service_account_id: settingOf(of, 'service_account_id'),
    },
  }
}

/**
 * https://platform.claude.com/docs/en/manage-claude/wif-reference; the header as `@anthropic-ai/sdk` sends it
 * (lib/credentials/oidc-federation).
 */
function anthropicExchange(of: MintedFor, identity: string): IdentityExchange {
  const workspace = settingOf(of, 'workspace_id')
  return {
    url: 'https://api.anthropic.com/v1/oauth/token',
    headers: { 'anthropic-beta': 'oauth-2025-04-20,oidc-federation-2026-04-01' },
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: identity,
      federation_rule_id: settingOf(of, 'federation_rule_id'),
      organization_id: settingOf(of, 'organization_id'),
      service_account_id: settingOf(of, 'service_account_id'),
      ...(workspace === null ? {} : { workspace_id: workspace }),
    },
  }
}

const EXCHANGES: Readonly<Record<string, (of: MintedFor, identity: string) => IdentityExchange>> = {
  openai: openaiExchange,
  anthropic: anthropicExchange,
}
