import { fieldsIn, type GoogleFile, googleFileIn } from '../../core/credential-secret.ts'
import { sourceOf } from '../../core/credential-kind.ts'
import { CredentialFailure } from '../cloud-upstream.ts'
import { objectionToFederation } from './google-federation.ts'
import { type MintedFor, type MintedToken, type Minter, type MintingMachine, settingOf } from './minter.ts'
import { lifeIn, requestToken, textIn } from './token-request.ts'

/** What models of Vertex AI are asked with. https://docs.cloud.google.com/vertex-ai/docs/authentication */
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const IMPERSONATED_SECONDS = 3_600

/** Access tokens of Google: of a service account, of a federated identity or of the machine, each for another account perhaps. */
export function gcpMinter(of: MintedFor, machine: MintingMachine): Minter {
  const source = sourceOf('gcp', of.credential.settings ?? {})
  return {
    scope: SCOPE,
    async mint(signal) {
      const file = source === 'metadata' ? null : googleFileIn(of.secret)
      const own =
        source === 'metadata'
          ? await ofMetadataServer(machine, signal)
          : await ofFile(file ?? {}, source, { machine, signal })
      const other = settingOf(of, 'impersonate') ?? impersonatedIn(file)
      return other === null ? own : impersonated(other, own, { machine, signal })
    },
  }
}

interface Minting {
  readonly machine: MintingMachine
  readonly signal: AbortSignal
}

function ofFile(file: GoogleFile, source: string, minting: Minting): Promise<MintedToken> {
  const wanted = source === 'workload_identity' ? 'external_account' : 'service_account'
  if (file['type'] !== wanted) throw new CredentialFailure(`The file of Google is none of the type ${wanted}.`)
  return source === 'workload_identity' ? federated(file, minting) : ofServiceAccount(file, minting)
}

async function ofServiceAccount(file: GoogleFile, { machine, signal }: Minting): Promise<MintedToken> {
  const { JWT } = await import('google-auth-library')
  const client = new JWT({
    email: String(file['client_email']),
    key: String(file['private_key']),
    ...(typeof file['private_key_id'] === 'string' ? { keyId: file['private_key_id'] } : {}),
    scopes: [SCOPE],
    transporterOptions: { fetchImplementation: bounded(machine, signal) },
  })
  const { access_token: token, expiry_date: endsAt } = await client.authorize()
  if (typeof token !== 'string' || typeof endsAt !== 'number') throw new CredentialFailure('Google issued no token.')
  // The library counts from the clock of this machine, by which it is counted back.
  return { value: { is: 'bearer', token }, lifeMs: endsAt - machine.clock.now() }
}

/**
 * Federation: the library gets the identity of the machine in the way of its cloud, and it is exchanged here, as the library
 * bounds no exchange. https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token
 */
async function federated(file: GoogleFile, { machine, signal }: Minting): Promise<MintedToken> {
  const objection = objectionToFederation(file, machine)
  if (objection !== null) throw new CredentialFailure(objection)
  const { AwsClient, IdentityPoolClient } = await import('google-auth-library')
  const source = fieldsIn(file['credential_source']) ?? {}
  const { service_account_impersonation_url: _, ...plain } = file
  const options = { ...plain, transporterOptions: { fetchImplementation: bounded(machine, signal) } }
  const Client = 'environment_id' in source ? AwsClient : IdentityPoolClient
  const client = new Client(options as unknown as ConstructorParameters<typeof AwsClient>[0])
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    audience: String(file['audience']),
    scope: SCOPE,
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: await client.retrieveSubjectToken(),
    subject_token_type: String(file['subject_token_type']),
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const named = file['token_url']
  const url = typeof named === 'string' ? named : 'https://sts.googleapis.com/v1/token'
  const { fields } = await requestToken(machine.fetch, url, { headers: form, body: body.toString(), signal })
  return { value: { is: 'bearer', token: textIn(fields, 'access_token') }, lifeMs: lifeIn(fields) }
}

/**
 * The machine's own service account. Asked here and not by the library, which on the machines of Google waits for ever.
 * https://docs.cloud.google.com/compute/docs/access/authenticate-workloads
 */
async function ofMetadataServer({ fetch, environment }: MintingMachine, signal: AbortSignal): Promise<MintedToken> {
  const host = environment['GCE_METADATA_IP'] ?? environment['GCE_METADATA_HOST'] ?? '169.254.169.254'
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`
  const { fields } = await requestToken(fetch, url, { method: 'GET', headers: { 'metadata-flavor': 'Google' }, signal })
  return { value: { is: 'bearer', token: textIn(fields, 'access_token') }, lifeMs: lifeIn(fields) }
}

/** https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
async function impersonated(email: string, own: MintedToken, { machine, signal }: Minting): Promise<MintedToken> {
  if (own.value.is !== 'bearer') throw new CredentialFailure('Google issued no token.')
  const url = `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`
  const { fields, dateMs } = await requestToken(machine.fetch, url, {
    headers: { authorization: `Bearer ${own.value.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: [SCOPE], lifetime: `${IMPERSONATED_SECONDS}s` }),
    signal,
  })
  // By its own date: the clock of this machine may be off.
  const lifeMs = Date.parse(textIn(fields, 'expireTime')) - (dateMs ?? machine.clock.now())
  return { value: { is: 'bearer', token: textIn(fields, 'accessToken') }, lifeMs }
}

/** The account that a configuration of federation names, whatever host it names it at. */
function impersonatedIn(file: GoogleFile | null): string | null {
  const url = file?.['service_account_impersonation_url']
  if (typeof url !== 'string') return null
  const email = /\/serviceAccounts\/([\w.+-]{1,100}@[\w.-]{1,150}):generateAccessToken$/.exec(url)?.[1]
  if (email === undefined) throw new CredentialFailure('service_account_impersonation_url names no service account.')
  return email
}

/** The library’s requests, ended with the rest. */
function bounded({ fetch: fetching }: MintingMachine, signal: AbortSignal): typeof fetch {
  return (input, init) => fetching(input, { ...init, redirect: 'manual', signal })
}
