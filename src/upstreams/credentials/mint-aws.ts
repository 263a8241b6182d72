import { sourceOf } from '../../core/credential-kind.ts'
import { CredentialFailure } from '../cloud-upstream.ts'
import { signedRegionOf } from './signed-region.ts'
import { requireNoProgram } from './aws-profile.ts'
import { MINT_MS, type MintedFor, type Minter, type MintingMachine, settingOf } from './minter.ts'
import type { SigningKeys } from './sign-v4.ts'

type Providers = typeof import('@aws-sdk/credential-providers')
type KeysProvider = ReturnType<Providers['fromHttp']>

/** One answer of a metadata service, which is on this machine or next to it. */
const METADATA_MS = 3_000
/** What a session of a role is called where nothing else is set; AWS shows it in its logs. */
const SESSION_NAME = 'tollgate'

/** The keys of an admin are sent as they are: there is nothing to mint without a role. null: something is minted. */
export function fixedKeysOf(of: MintedFor): SigningKeys | null {
  const accessKeyId = settingOf(of, 'access_key_id')
  if (accessKeyId === null || settingOf(of, 'role_arn') !== null) return null
  return { accessKeyId, secretAccessKey: of.secret, sessionToken: null }
}

/** Keys of a session: of a role, of the instance, of the pod or of a profile, each with a role that is assumed with them perhaps. */
export function awsMinter(of: MintedFor, machine: MintingMachine): Minter {
  const region = signedRegionOf(of.upstream)
  return {
    scope: `aws ${region}`,
    async mint(signal) {
      const providers = await import('@aws-sdk/credential-providers')
      // The dates of its answers tell how far the clock of this machine is off.
      let serverMs: number | null = null
      const client = clientOf(machine, region, (date) => {
        machine.signing.heard(date)
        serverMs = Date.parse(date)
      })
      const provider = await providerOf(of, { machine, providers, client })
      const keys = await Promise.race([provider(), ended(signal)])
      if (keys.expiration === undefined && settingOf(of, 'role_arn') !== null)
        throw new CredentialFailure('AWS issued keys without an end.')
      const nowMs = serverMs ?? machine.signing.now()
      return {
        value: {
          is: 'keys',
          keys: {
            accessKeyId: keys.accessKeyId,
            secretAccessKey: keys.secretAccessKey,
            sessionToken: keys.sessionToken ?? null,
          },
        },
        // The keys of a profile may have no end, and may be others after a while.
        lifeMs: keys.expiration === undefined ? UNENDING_MS : keys.expiration.getTime() - nowMs,
      }
    },
  }
}

const UNENDING_MS = 3_600_000

interface Having {
  readonly machine: MintingMachine
  readonly providers: Providers
  readonly client: ReturnType<typeof clientOf>
}

async function providerOf(of: MintedFor, having: Having): Promise<KeysProvider> {
  const { providers, client } = having
  const own = await sourceProvider(of, having)
  const role = settingOf(of, 'role_arn')
  if (role === null) return own
  const externalId = settingOf(of, 'external_id')
  return providers.fromTemporaryCredentials({
    masterCredentials: own,
    params: {
      RoleArn: role,
      RoleSessionName: settingOf(of, 'session_name') ?? SESSION_NAME,
      ...(externalId === null ? {} : { ExternalId: externalId }),
    },
    clientConfig: client.config,
    clientPlugins: client.plugins,
  } as Parameters<Providers['fromTemporaryCredentials']>[0])
}

async function sourceProvider(of: MintedFor, { machine, providers, client }: Having): Promise<KeysProvider> {
  const { environment } = machine
  switch (sourceOf('aws', of.credential.settings ?? {})) {
    case 'keys': {
      const accessKeyId = settingOf(of, 'access_key_id') ?? ''
      return () => Promise.resolve({ accessKeyId, secretAccessKey: of.secret })
    }
    case 'profile': {
      const profile = settingOf(of, 'profile') ?? ''
      await requireNoProgram(profile, environment)
      return providers.fromIni({ profile, ignoreCache: true, clientConfig: client.config })
    }
    case 'instance':
      return ofInstance(providers)
    default:
      return podProvider(environment, providers, client)
  }
}

/**
 * Where the metadata service does not answer, or refuses a token of its version 2, the library says no more than that it may not
 * ask by version 1. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html has the hop limit.
 */
function ofInstance(providers: Providers): KeysProvider {
  const provider = providers.fromInstanceMetadata({ timeout: METADATA_MS, maxRetries: 1, ec2MetadataV1Disabled: true })
  return (...about) =>
    provider(...about).catch((error: unknown) => {
      const isFallback = error instanceof Error && error.name === 'InstanceMetadataV1FallbackError'
      throw isFallback ? new CredentialFailure(NO_METADATA, { cause: error }) : error
    })
}

const NO_METADATA =
  'The metadata service of the instance did not answer, or refused a token of its version 2. In a container, its hop limit has to be 2.'

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html and feature-assume-role-credentials.html */
function podProvider(
  environment: MintingMachine['environment'],
  providers: Providers,
  client: ReturnType<typeof clientOf>,
): KeysProvider {
  if (isSet(environment, 'AWS_WEB_IDENTITY_TOKEN_FILE') && isSet(environment, 'AWS_ROLE_ARN')) {
    return providers.fromTokenFile({
      roleSessionName: environment['AWS_ROLE_SESSION_NAME'] ?? SESSION_NAME,
      clientConfig: client.config,
      clientPlugins: client.plugins,
    } as Parameters<Providers['fromTokenFile']>[0])
  }
  if (
    isSet(environment, 'AWS_CONTAINER_CREDENTIALS_FULL_URI') ||
    isSet(environment, 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI')
  ) {
    return providers.fromHttp({ timeout: METADATA_MS, maxRetries: 1 })
  }
  throw new CredentialFailure(
    'The environment of the gateway names no identity of a pod: neither AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN nor AWS_CONTAINER_CREDENTIALS_FULL_URI.',
  )
}

function isSet(environment: MintingMachine['environment'], name: string): boolean {
  return (environment[name] ?? '') !== ''
}

/** How the token service is asked: in the upstream's region, twice at most, as a wrong clock is found by the first answer. */
function clientOf({ signing }: MintingMachine, region: string, onDate: (date: string) => void) {
  const config = {
    region,
    maxAttempts: 2,
    systemClockOffset: signing.offsetMs,
    requestHandler: { connectionTimeout: METADATA_MS, requestTimeout: MINT_MS, throwOnRequestTimeout: true },
  }
  const plugin = {
    applyToStack(stack: DeserializingStack): void {
      stack.add(
        (next) => async (request) => {
          const result = await next(request)
          const date = result.response?.headers?.['date']
          if (date !== undefined) onDate(date)
          return result
        },
        { step: 'deserialize', priority: 'low', name: 'tollgateDates' },
      )
    },
  }
  return { config, plugins: [plugin] }
}

type Next = (request: unknown) => Promise<{
  readonly response?: { readonly headers?: Readonly<Record<string, string | undefined>> }
}>

/** What of the SDK’s stack of middlewares is used. */
interface DeserializingStack {
  add(
    middleware: (next: Next) => Next,
    options: { readonly step: 'deserialize'; readonly priority: 'low'; readonly name: string },
  ): void
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
