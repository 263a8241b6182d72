import { fieldsIn, type GoogleFile } from '../../core/credential-secret.ts'
import { isTokenHost, type MintingMachine } from './minter.ts'

/**
 * What a configuration of workload identity federation may not do; null: nothing. It is a text of an admin, and Google warns of
 * such (https://cloud.google.com/docs/authentication/external/externally-sourced-credentials): it could read any file, run any
 * program and send an identity of this machine to any host.
 */
export function objectionToFederation(file: GoogleFile, machine: MintingMachine): string | null {
  const tokenUrl = file['token_url'] ?? 'https://sts.googleapis.com/v1/token'
  if (!isAt(tokenUrl, GOOGLE_STS, machine)) return 'token_url is not one of Google, nor of TOLLGATE_IDENTITY_HOSTS.'
  if ((file['universe_domain'] ?? 'googleapis.com') !== 'googleapis.com')
    return 'universe_domain is not googleapis.com.'
  const source = fieldsIn(file['credential_source'])
  if (source === null) return 'credential_source is missing.'
  if ('executable' in source || 'certificate' in source)
    return 'credential_source runs a program, or reads a certificate.'
  if ('environment_id' in source) return objectionToAws(source, machine)
  if (source['file'] !== undefined) {
    const isNamed = machine.tokenFiles.some((path) => path === source['file'])
    return isNamed ? null : 'credential_source.file may not be read: name it in TOLLGATE_IDENTITY_TOKEN_FILES.'
  }
  return isAt(source['url'], AZURE_METADATA, machine)
    ? null
    : 'credential_source.url is not the metadata service of Azure, nor at a host of TOLLGATE_IDENTITY_HOSTS.'
}

// https://docs.cloud.google.com/iam/docs/reference/sts/rest; regional ones end in rep.googleapis.com.
const GOOGLE_STS = /^https:\/\/sts(?:\.[a-z0-9-]+\.rep)?\.googleapis\.com\/v1\/token$/
// https://docs.cloud.google.com/iam/docs/workload-identity-federation-with-other-clouds
const AZURE_METADATA = /^http:\/\/169\.254\.169\.254\/metadata\/identity\/oauth2\/token\?/
const AWS_METADATA = /^http:\/\/(?:169\.254\.169\.254|\[fd00:ec2::254\])\/latest\//
const AWS_STS = /^https:\/\/sts\.(?:\{region\}\.|[a-z0-9-]+\.)?amazonaws\.com\/?\?/

function objectionToAws(source: GoogleFile, machine: MintingMachine): string | null {
  for (const name of ['region_url', 'url', 'imdsv2_session_token_url']) {
    const url = source[name]
    if (url !== undefined && !isAt(url, AWS_METADATA, machine))
      return `credential_source.${name} is not the metadata service of AWS.`
  }
  const isSts = isAt(source['regional_cred_verification_url'], AWS_STS, machine)
  return isSts ? null : 'credential_source.regional_cred_verification_url is not the token service of AWS.'
}

function isAt(url: unknown, known: RegExp, machine: MintingMachine): boolean {
  if (typeof url !== 'string') return false
  return known.test(url) || isTokenHost(url, machine)
}
