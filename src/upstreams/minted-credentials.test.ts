import { expect, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import type { MintedKind } from '../core/credential-kind.ts'
import { createLogger } from '../core/log.ts'
import { MintedCredentials } from './minted-credentials.ts'

const log = createLogger('silent')
const OPENAI = { identity_provider_id: 'idp_1', service_account_id: 'user_1' }

/** Why a credential of this kind has no token for an upstream at this address, where no token service can be reached. */
async function refusal(kind: MintedKind, baseUrl: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const minted = new MintedCredentials({
    clock: systemClock,
    random: Math.random,
    store: null,
    sealer: { seal: (text) => text, open: (sealed) => sealed },
    holder: 'node',
    machine: {
      environment: {},
      tokenFiles: [],
      tokenHosts: ['gateway.example.com:8443'],
      fetch: () => Promise.reject(new Error('no network')),
    },
    log,
  })
  const upstream = { id: 'ups_1', name: 'main', protocol: 'openai', baseUrl } as const
  const credential = { name: 'default', sealedSecret: '', kind, settings }
  const unheard = { onFailure: () => {}, onRecovered: () => {}, onSecrets: () => {} }
  const authorizer = minted.authorizer({ upstream, credential, secret: '' }, unheard)
  try {
    await authorizer.headers({ method: 'GET', path: '/models', headers: {}, body: [] })
    return 'none'
  } catch (error) {
    return String(error)
  } finally {
    authorizer.close(false)
  }
}

/** An admin who may name a base URL is not to receive what the machine may do. */
test.for([
  ['gcp', 'https://collector.example.com/v1', { source: 'metadata' }],
  ['gcp', 'https://googleapis.com.example.com/v1', { source: 'metadata' }],
  ['gcp', 'http://aiplatform.googleapis.com/v1', { source: 'metadata' }],
  ['azure', 'https://collector.example.com/openai/v1', { source: 'managed_identity' }],
  ['azure', 'https://openai.azure.com.example.com/openai/v1', { source: 'managed_identity' }],
  ['oidc', 'https://api.openai.com.example.com/v1', { source: 'openai', ...OPENAI }],
  ['oidc', 'https://gateway.example.com/v1', { source: 'openai', ...OPENAI }],
] as const)('a token of the machine (%s) does not go to %s', async ([kind, baseUrl, settings]) => {
  expect(await refusal(kind, baseUrl, settings)).toContain('is sent to the hosts of its cloud alone, over HTTPS')
})

test.for([
  ['gcp', 'https://europe-west4-aiplatform.googleapis.com/v1', { source: 'metadata' }],
  ['azure', 'https://mine.openai.azure.com/openai/v1', { source: 'managed_identity' }],
  ['oidc', 'https://eu.api.openai.com/v1', { source: 'openai', ...OPENAI }],
  ['oidc', 'https://gateway.example.com:8443/v1', { source: 'openai', ...OPENAI }],
] as const)('a token of the machine (%s) is asked for at %s', async ([kind, baseUrl, settings]) => {
  const words = await refusal(kind, baseUrl, settings)
  expect(words).not.toBe('none')
  expect(words).not.toContain('hosts of its cloud alone')
})
