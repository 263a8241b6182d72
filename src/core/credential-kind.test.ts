import { expect, test } from 'vitest'
import { isOfMachine, objectionToKind } from './credential-kind.ts'
import { isSecretFile } from './credential-secret.ts'

const judge = (
  kind: Parameters<typeof objectionToKind>[0]['kind'],
  settings: Record<string, string>,
  secret?: string,
) => objectionToKind({ kind, settings, hasSecret: secret !== undefined, secret: secret ?? null })

const KEY_FILE = JSON.stringify({
  type: 'service_account',
  client_email: 'a@b.iam.gserviceaccount.com',
  private_key: '-',
})
const FEDERATION = {
  type: 'external_account',
  audience: '//iam.googleapis.com/x',
  token_url: 'https://sts.googleapis.com/v1/token',
}

test('a source that is not named is the likeliest of its kind', () => {
  expect(judge('aws', { access_key_id: 'AKIAIOSFODNN7EXAMPLE' }, 'secret')).toBeNull()
  expect(judge('gcp', {}, KEY_FILE)).toBeNull()
})

test.each([
  ['aws', { source: 'profile', profile: 'models', role_arn: 'https://evil.example/' }, undefined, 'role_arn'],
  ['aws', { source: 'profile', profile: 'a\nb' }, undefined, 'profile'],
  ['azure', { tenant_id: '../../evil', client_id: 'c' }, 'secret', 'tenant_id'],
  ['azure', { tenant_id: 't', client_id: 'c', scope: 'https://graph.microsoft.com/User.Read' }, 'secret', 'scope'],
  ['gcp', { source: 'metadata', impersonate: '../x@y' }, undefined, 'impersonate'],
  ['oidc', { identity_provider_id: 'i', service_account_id: 's', token_file: 'relative' }, undefined, 'token_file'],
  ['oidc', { identity_provider_id: 'i' }, undefined, 'service_account_id'],
  ['static', { region: 'x' }, 'secret', 'region'],
] as const)('%s with %o is refused at its setting', (...[kind, settings, secret, setting]) => {
  expect(judge(kind, settings, secret)?.setting).toBe(setting)
})

test('a configuration of Google never runs a program, and a file of another kind is refused', () => {
  const executable = { ...FEDERATION, credential_source: { executable: { command: 'cat /etc/passwd' } } }
  expect(judge('gcp', { source: 'workload_identity' }, JSON.stringify(executable))?.takes).toContain('never used')
  const certificate = { ...FEDERATION, credential_source: { certificate: {} } }
  expect(judge('gcp', { source: 'workload_identity' }, JSON.stringify(certificate))).not.toBeNull()
  expect(judge('gcp', {}, JSON.stringify({ type: 'authorized_user' }))).not.toBeNull()
  expect(judge('gcp', {}, '{"type":')).not.toBeNull()
})

test('a certificate must come with its private key', () => {
  const settings = { source: 'client_certificate', tenant_id: 't', client_id: 'c' }
  const pem = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n'
  expect(judge('azure', settings, pem)).not.toBeNull()
  expect(judge('azure', settings, `${pem}-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n`)).toBeNull()
  expect(isSecretFile(pem)).toBe(true)
})

test('a static secret has no line breaks', () => {
  expect(judge('static', {}, 'a\nb')?.setting).toBeNull()
})

test('what needs no secret, and what names another identity of the machine, is of the machine', () => {
  expect(isOfMachine('gcp', 'metadata')).toBe(true)
  expect(isOfMachine('gcp', 'workload_identity')).toBe(true)
  expect(isOfMachine('gcp', 'service_account')).toBe(false)
  expect(isOfMachine('azure', 'client_secret')).toBe(false)
})
