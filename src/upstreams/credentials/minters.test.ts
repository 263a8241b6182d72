import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { APPLICATION_CERTIFICATE, APPLICATION_KEY } from '../../../test/support/application-certificate.ts'
import { type FakeTokenServices, startFakeTokenServices } from '../../../tools/fake-upstream/clouds/token-issuers.ts'
import { ROLE } from '../../../tools/fake-upstream/clouds/tokens/aws-tokens.ts'
import { CLIENT, CLIENT_SECRET, TENANT } from '../../../tools/fake-upstream/clouds/tokens/entra-tokens.ts'
import { IMPERSONATED, POOL } from '../../../tools/fake-upstream/clouds/tokens/google-tokens.ts'
import { identityToken, SERVICE_ACCOUNT } from '../../../tools/fake-upstream/clouds/tokens/issuer.ts'
import { ANTHROPIC_IDENTITY, OPENAI_IDENTITY } from '../../../tools/fake-upstream/clouds/tokens/provider-tokens.ts'
import { LONG_LIVED } from '../../../tools/fake-upstream/clouds/tokens/token-book.ts'
import type { MintedKind } from '../../core/credential-kind.ts'
import { awsMinter, fixedKeysOf } from './mint-aws.ts'
import { azureMinter, scopeOf } from './mint-azure.ts'
import { gcpMinter } from './mint-gcp.ts'
import { oidcMinter } from './mint-oidc.ts'
import type { MintedFor, MintedToken, MintingMachine } from './minter.ts'
import { SigningClock } from './signing-clock.ts'
import { wordsOfFailure } from './words-of-failure.ts'

const MINTERS = { aws: awsMinter, gcp: gcpMinter, azure: azureMinter, oidc: oidcMinter }
const BASE_URLS = {
  aws: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  gcp: 'https://aiplatform.googleapis.com/v1/projects/p/locations/global',
  azure: 'https://my.openai.azure.com/openai/v1',
  oidc: 'https://api.openai.com/v1',
}
const AUDIENCES = {
  aws: 'sts.amazonaws.com',
  gcp: POOL,
  azure: 'api://AzureADTokenExchange',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
}

let services: FakeTokenServices
let directory: string
const fileOf = (name: keyof typeof AUDIENCES) => join(directory, name)

beforeAll(async () => {
  services = await startFakeTokenServices({ certificate: APPLICATION_CERTIFICATE })
  directory = mkdtempSync(join(tmpdir(), 'tokens-'))
})
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await services.close()
})
beforeEach(() => {
  services.failure = null
  services.book.aheadMs = 0
  for (const [name, audience] of Object.entries(AUDIENCES)) {
    writeFileSync(fileOf(name as keyof typeof AUDIENCES), `${identityToken(audience, services.book.now())}\n`)
  }
  for (const [name, value] of Object.entries(services.environment)) vi.stubEnv(name, value)
  // The profiles and sessions of the machine have no part in it.
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_REGION']) vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_CONFIG_FILE', join(directory, 'config'))
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(directory, 'credentials'))
  return () => vi.unstubAllEnvs()
})

function machine(environment: Record<string, string> = {}, tokenHosts: string[] = []): MintingMachine {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  return {
    environment: process.env,
    tokenFiles: (['openai', 'anthropic', 'gcp', 'azure', 'aws'] as const).map(fileOf),
    tokenHosts,
    fetch: services.fetch,
    clock: Date,
    signing: new SigningClock(Date),
  }
}

function credentialOf(kind: MintedKind, settings: Record<string, string>, secret = ''): MintedFor {
  return {
    upstream: { id: 'ups_1', name: 'cloud', protocol: 'openai', baseUrl: BASE_URLS[kind] },
    credential: { name: 'default', kind, settings, sealedSecret: '' },
    secret,
  }
}

async function minted(of: MintedFor, at = machine()): Promise<MintedToken> {
  return MINTERS[of.credential.kind ?? 'aws'](of, at).mint(AbortSignal.timeout(10_000))
}

const failing = (of: MintedFor, at = machine()) =>
  minted(of, at).then(
    () => 'minted',
    (error: unknown) => wordsOfFailure(error, [of.secret]),
  )

const isGood = ({ value }: MintedToken) =>
  value.is === 'bearer'
    ? services.book.isGood(value.token)
    : services.book.keysOf(value.keys.accessKeyId)?.secretAccessKey === value.keys.secretAccessKey

const FEDERATION = {
  type: 'external_account',
  audience: POOL,
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  token_url: 'https://sts.googleapis.com/v1/token',
}

const KEYS = { source: 'keys', access_key_id: LONG_LIVED.accessKeyId }
const CERTIFIED = APPLICATION_CERTIFICATE + APPLICATION_KEY

describe('each source of tokens', () => {
  test.each([
    ['aws', { ...KEYS, role_arn: ROLE }, LONG_LIVED.secretAccessKey],
    ['aws', { source: 'instance' }, ''],
    ['aws', { source: 'instance', role_arn: ROLE, external_id: 'ours' }, ''],
    ['aws', { source: 'pod' }, ''],
    ['gcp', { source: 'service_account' }, JSON.stringify(SERVICE_ACCOUNT)],
    ['gcp', { source: 'service_account', impersonate: IMPERSONATED }, JSON.stringify(SERVICE_ACCOUNT)],
    ['gcp', { source: 'metadata' }, ''],
    ['azure', { source: 'client_secret', tenant_id: TENANT, client_id: CLIENT }, CLIENT_SECRET],
    ['azure', { source: 'client_certificate', tenant_id: TENANT, client_id: CLIENT }, CERTIFIED],
    ['azure', { source: 'managed_identity' }, ''],
    ['azure', { source: 'workload_identity', tenant_id: TENANT, client_id: CLIENT, file: 'azure' }, ''],
    ['oidc', { source: 'openai', ...OPENAI_IDENTITY }, ''],
    ['oidc', { source: 'anthropic', ...ANTHROPIC_IDENTITY, file: 'anthropic' }, ''],
  ] as const)(
    '%s of %o yields a token that the service takes for as long as it says',
    async (kind, settings, secret) => {
      const { file, ...own } = { file: undefined, ...settings }
      const named = kind === 'oidc' && file !== undefined ? { token_file: fileOf(file as 'anthropic') } : {}
      const environment = file === 'azure' ? { AZURE_FEDERATED_TOKEN_FILE: fileOf('azure') } : {}
      const token = await minted(credentialOf(kind, { ...own, ...named }, secret), machine(environment))
      expect(isGood(token)).toBe(true)
      expect(token.lifeMs / 1_000).toBeGreaterThan(services.book.lifeSeconds - 10)
      expect(token.lifeMs / 1_000).toBeLessThanOrEqual(services.book.lifeSeconds + 1)
    },
  )

  test('aws of a pod takes the web identity that its environment names', async () => {
    const environment = { AWS_WEB_IDENTITY_TOKEN_FILE: fileOf('aws'), AWS_ROLE_ARN: ROLE }
    expect(isGood(await minted(credentialOf('aws', { source: 'pod' }), machine(environment)))).toBe(true)
  })

  test('aws of a profile assumes the role that the file names', async () => {
    const { accessKeyId, secretAccessKey } = LONG_LIVED
    writeFileSync(
      join(directory, 'credentials'),
      `[base]\naws_access_key_id=${accessKeyId}\naws_secret_access_key=${secretAccessKey}\n`,
    )
    writeFileSync(
      join(directory, 'config'),
      `[profile models]\nrole_arn=${ROLE}\nrole_session_name=gateway\nsource_profile=base\nregion=us-east-1\n`,
    )
    expect(isGood(await minted(credentialOf('aws', { source: 'profile', profile: 'models' })))).toBe(true)
  })

  // Reported: keys that were renewed in the files are not read again (anthropics/claude-code#18396, Aider-AI/aider#3556).
  test('aws of a profile reads its files anew each time', async () => {
    const of = credentialOf('aws', { source: 'profile', profile: 'session' })
    for (const nr of ['one', 'two']) {
      const { accessKeyId, secretAccessKey, sessionToken } = services.book.keys()
      const lines = {
        aws_access_key_id: accessKeyId,
        aws_secret_access_key: secretAccessKey,
        aws_session_token: sessionToken,
      }
      const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
      writeFileSync(join(directory, 'credentials'), `[session]\n${text.join('')}# ${nr}\n`)
      expect(await minted(of)).toMatchObject({ value: { keys: { accessKeyId } } })
    }
  })

  test('gcp of a federated identity reads its file, and may take another account', async () => {
    const source = { credential_source: { file: fileOf('gcp') } }
    const url = `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${IMPERSONATED}:generateAccessToken`
    for (const more of [{}, { service_account_impersonation_url: url }]) {
      const file = JSON.stringify({ ...FEDERATION, ...source, ...more })
      expect(isGood(await minted(credentialOf('gcp', { source: 'workload_identity' }, file)))).toBe(true)
    }
  })

  test('an access key without a role is sent as it is', () => {
    expect(fixedKeysOf(credentialOf('aws', KEYS, 'secret'))).toMatchObject({ secretAccessKey: 'secret' })
    expect(fixedKeysOf(credentialOf('aws', { ...KEYS, role_arn: ROLE }, 'secret'))).toBeNull()
  })
})

test.each([
  ['https://a.openai.azure.com/openai/v1', 'https://cognitiveservices.azure.com/.default'],
  ['https://a.services.ai.azure.com/anthropic/v1', 'https://ai.azure.com/.default'],
  ['https://a.openai.azure.us/openai', 'https://cognitiveservices.azure.us/.default'],
  ['https://a.openai.azure.cn/openai', 'https://cognitiveservices.azure.cn/.default'],
])('at %s tokens of Azure are asked for as %s', (baseUrl, scope) => {
  expect(scopeOf(baseUrl)).toBe(scope)
})

describe('what is refused is named in the words of the service', () => {
  test.each([
    [
      'aws',
      { ...KEYS, role_arn: `${ROLE}-gone` },
      LONG_LIVED.secretAccessKey,
      'is not authorized to perform: sts:AssumeRole',
    ],
    ['aws', { ...KEYS, role_arn: ROLE }, 'another secret', 'InvalidClientTokenId'],
    [
      'gcp',
      { source: 'service_account', impersonate: 'other@fake-project.iam.gserviceaccount.com' },
      JSON.stringify(SERVICE_ACCOUNT),
      'PERMISSION_DENIED: Permission',
    ],
    [
      'gcp',
      { source: 'service_account' },
      JSON.stringify({ ...SERVICE_ACCOUNT, client_email: 'gone@x.iam.gserviceaccount.com' }),
      'account not found',
    ],
    ['azure', { source: 'client_secret', tenant_id: TENANT, client_id: CLIENT }, 'wrong', 'AADSTS7000215'],
    [
      'oidc',
      { source: 'openai', ...OPENAI_IDENTITY, service_account_id: 'other' },
      '',
      'access_denied: No matching service account',
    ],
    ['oidc', { source: 'anthropic', ...ANTHROPIC_IDENTITY }, '', 'federation rule does not match'],
  ] as const)('%s of %o', async (kind, settings, secret, words) => {
    expect(await failing(credentialOf(kind, settings, secret))).toContain(words)
  })

  test('without the secret that was sent, and without a token that came back', async () => {
    services.failure = {
      status: 400,
      type: 'application/json',
      body: JSON.stringify({ error: 'invalid', error_description: `${CLIENT_SECRET} eyJabc.def.ghi` }),
    }
    const said = await failing(
      credentialOf('azure', { source: 'client_secret', tenant_id: TENANT, client_id: CLIENT }, CLIENT_SECRET),
    )
    expect(said).not.toContain(CLIENT_SECRET)
    expect(said).not.toContain('eyJabc')
  })
})

describe('a clock that is ten minutes off', () => {
  test('is corrected by the dates of AWS, and the keys are good for as long as they say', async () => {
    services.book.aheadMs = 10 * 60_000
    const at = machine()
    const token = await minted(credentialOf('aws', { ...KEYS, role_arn: ROLE }, LONG_LIVED.secretAccessKey), at)
    expect(token.lifeMs / 1_000).toBeGreaterThan(services.book.lifeSeconds - 10)
    expect(token.lifeMs / 1_000).toBeLessThanOrEqual(services.book.lifeSeconds + 1)
    expect(Math.abs(at.signing.offsetMs - services.book.aheadMs)).toBeLessThan(5_000)
  })

  test('is named by Google, which takes no assertion of another time', async () => {
    services.book.aheadMs = -10 * 60_000
    expect(await failing(credentialOf('gcp', {}, JSON.stringify(SERVICE_ACCOUNT)))).toContain('iat and exp')
  })
})

describe('an admin of the console', () => {
  test.each([
    ['a file of the machine', { credential_source: { file: '/etc/passwd' } }, 'TOLLGATE_IDENTITY_TOKEN_FILES'],
    ['a program', { credential_source: { executable: { command: 'id' } } }, 'runs a program'],
    [
      'a certificate',
      { credential_source: { certificate: { certificate_config_location: '/etc' } } },
      'reads a certificate',
    ],
    ['any host as the source', { credential_source: { url: 'http://10.0.0.1/token' } }, 'TOLLGATE_IDENTITY_HOSTS'],
    [
      'any host as the exchange',
      { credential_source: { file: 'named' }, token_url: 'https://evil.test/v1/token' },
      'TOLLGATE_IDENTITY_HOSTS',
    ],
    ['another universe', { credential_source: { file: 'named' }, universe_domain: 'evil.test' }, 'universe_domain'],
    [
      'a metadata service of its own',
      {
        credential_source: {
          environment_id: 'aws1',
          url: 'http://evil.test/latest/',
          regional_cred_verification_url: 'https://sts.{region}.amazonaws.com?Action=GetCallerIdentity',
        },
      },
      'credential_source.url',
    ],
    [
      'a verification elsewhere',
      {
        credential_source: {
          environment_id: 'aws1',
          regional_cred_verification_url: 'https://sts.amazonaws.com.evil.test/?x',
        },
      },
      'regional_cred_verification_url',
    ],
  ])('cannot use %s by a configuration of Google', async (_what, more, words) => {
    const asked = services.asked
    const file = JSON.stringify({ ...FEDERATION, ...more })
    expect(await failing(credentialOf('gcp', { source: 'workload_identity' }, file))).toContain(words)
    expect(services.asked).toBe(asked)
  })

  test('cannot have a file read that the environment does not name', async () => {
    const settings = { source: 'openai', ...OPENAI_IDENTITY, token_file: '/etc/passwd' }
    expect(await failing(credentialOf('oidc', settings))).toContain('TOLLGATE_IDENTITY_TOKEN_FILES')
  })

  test('cannot run a program by a profile, nor by one that it builds upon', async () => {
    writeFileSync(join(directory, 'credentials'), '')
    writeFileSync(
      join(directory, 'config'),
      `[profile direct]\ncredential_process = touch ${join(directory, 'ran')}\n[profile chained]\nrole_arn=${ROLE}\nsource_profile = direct\n`,
    )
    for (const profile of ['direct', 'chained']) {
      expect(await failing(credentialOf('aws', { source: 'profile', profile }))).toContain('runs a program')
    }
  })

  test('hears that a file holds no token, and nothing of the file', async () => {
    writeFileSync(fileOf('openai'), 'root:x:0:0 a line of a file\n')
    const said = await failing(credentialOf('oidc', { source: 'openai', ...OPENAI_IDENTITY }))
    expect(said).toBe('The file of the identity token holds no token.')
  })
})

test('a pod without an identity is named', async () => {
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', undefined)
  expect(await failing(credentialOf('aws', { source: 'pod' }))).toContain('names no identity of a pod')
})
