import { azureTarget } from './azure-target.ts'
import { mintedSource } from './credential-fields.tsx'
import { type AddressForm, fieldOf, jsonIn, MOST_SECRETS, projectOf, secretsIn, sourceOf } from './address-form.ts'
import { vendorOf } from './vendors.ts'

type AddressProblem = 'required' | 'tooMany' | 'azureForm' | CredentialProblem
type CredentialProblem = 'jsonForm' | 'serviceAccountForm' | 'federationForm' | 'pemForm'

/** What is wrong with what was typed of a new upstream, by fields; `false`: nothing. */
export function addressProblems(form: AddressForm): Readonly<Record<string, AddressProblem | false>> {
  const { vendor, base_url: url, region, settings } = form
  const { dialect, sites } = vendor === '' ? { dialect: null, sites: [] } : vendorOf(vendor)
  const isComposed = dialect === 'bedrock' || dialect === 'vertex' || sites.length > 0
  const isAzure = dialect === 'azure' && azureTarget(url) === null
  const isBlank = url.trim() === ''
  return {
    base_url: !isComposed && (isBlank ? 'required' : isAzure && 'azureForm'),
    region: dialect === 'bedrock' && isBlank && region.trim() === '' && 'required',
    project: dialect === 'vertex' && isBlank && projectOf(form) === '' && 'required',
    credential: secretProblem(form, dialect !== null || sites.length > 0),
    ...settingProblems(sourceOf(form), settings),
  }
}

/** The settings that a source lacks, by the names of their fields. */
export function settingProblems(
  source: string,
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, 'required' | false>> {
  const needs = Object.entries(mintedSource(source)?.settings ?? {})
  return Object.fromEntries(
    needs.map(([name, need]) => {
      const isMissing = need === 'required' && (settings[name] ?? '').trim() === ''
      return [`settings.${name}`, isMissing && 'required']
    }),
  )
}

function secretProblem(form: AddressForm, isNeeded: boolean): AddressProblem | false {
  const source = sourceOf(form)
  if (mintedSource(source) !== null) return mintedProblem(source, form.credential)
  const count = secretsIn(form.credential).length
  if (count === 0) return isNeeded && 'required'
  return count > MOST_SECRETS && 'tooMany'
}

/** What is wrong with the secret of a source: a key file is often pasted in part, or is another file than the one that is meant. */
export function mintedProblem(source: string, secret: string): 'required' | CredentialProblem | false {
  const form = mintedSource(source)?.secret ?? null
  if (form === null) return false
  if (secret.trim() === '') return 'required'
  if (form === 'pem') return !secret.includes('-----BEGIN ') && 'pemForm'
  if (form !== 'json') return false
  const file = jsonIn(secret)
  if (typeof file !== 'object' || file === null) return 'jsonForm'
  // https://cloud.google.com/iam/docs/service-account-creds and /workload-identity-federation-with-other-providers
  if (source === 'gcp.workload_identity') return fieldOf(file, 'type') !== 'external_account' && 'federationForm'
  const isKey = typeof fieldOf(file, 'private_key') === 'string' && typeof fieldOf(file, 'client_email') === 'string'
  return !isKey && 'serviceAccountForm'
}
