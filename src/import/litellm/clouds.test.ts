import { expect, test } from 'vitest'
import { deployed, planFor } from '../../../test/support/import-sources/litellm-plan.ts'

const RESOURCE = 'https://house.openai.azure.com'
const FOUNDRY = 'https://house.services.ai.azure.com'
const KEY_FILE = { type: 'service_account', project_id: 'house-1', private_key: 'p', client_email: 'a@b.test' }
const APP = { tenant_id: 'tenant', client_id: 'client', client_secret: 'app-secret' }
const AWS = { aws_access_key_id: 'AKIA1', aws_secret_access_key: 'aws/secret' }

/** What LiteLLM 1.109.1 asks (`llms/azure`, `llms/azure_ai`): protocol, address, version and deployment. */
test.for([
  [{ model: 'azure/ours', api_version: '2024-10-21' }, 'openai-chat', `${RESOURCE}/openai`, '2024-10-21', 'ours'],
  [{ model: 'azure/ours' }, 'openai-chat', `${RESOURCE}/openai`, '2025-02-01-preview', 'ours'],
  [{ model: 'azure/ours', api_version: 'v1' }, 'openai', `${RESOURCE}/openai/v1`, undefined, 'ours'],
  [{ model: 'azure/ours', api_version: 'preview' }, 'openai', `${RESOURCE}/openai/v1`, undefined, 'ours'],
  [{ model: 'azure/ours', api_base: `${RESOURCE}/openai/v1/` }, 'openai', `${RESOURCE}/openai/v1`, undefined, 'ours'],
  // BerriAI/litellm#8572 and #9406: the whole path of a deployment as the base, and a version with its name before it.
  [
    { model: 'azure/x', api_base: `${RESOURCE}/openai/deployments/ours/chat/completions?api-version=2024-06-01` },
    'openai-chat',
    `${RESOURCE}/openai`,
    '2024-06-01',
    'ours',
  ],
  [
    {
      model: 'azure/gpt-4o',
      api_base: `${RESOURCE}/openai/deployments/gpt-4o/chat/completions`,
      api_version: 'api-version=2024-10-21',
    },
    'openai-chat',
    `${RESOURCE}/openai`,
    '2024-10-21',
    'gpt-4o',
  ],
  [
    { model: 'azure/ours', api_base: 'https://api.house.test/llm/openai/', api_version: '2024-06-01' },
    'openai-chat',
    'https://api.house.test/llm/openai',
    '2024-06-01',
    'ours',
  ],
  [{ model: 'azure/o_series/ours', api_version: 'v1' }, 'openai', `${RESOURCE}/openai/v1`, undefined, 'ours'],
  [
    { model: 'azure/responses/ours', api_version: '2025-04-01-preview' },
    'openai',
    `${RESOURCE}/openai`,
    '2025-04-01-preview',
    'ours',
  ],
  [{ model: 'azure/responses/ours', api_version: '2024-06-01' }, 'openai', `${RESOURCE}/openai/v1`, undefined, 'ours'],
  [
    { model: 'azure_ai/claude-opus-4-5', api_base: `${FOUNDRY}/anthropic` },
    'anthropic',
    `${FOUNDRY}/anthropic/v1`,
    undefined,
    'claude-opus-4-5',
  ],
  [
    { model: 'azure_ai/claude-opus-4-5', api_base: `${FOUNDRY}/anthropic/v1/messages` },
    'anthropic',
    `${FOUNDRY}/anthropic/v1`,
    undefined,
    'claude-opus-4-5',
  ],
  [
    { model: 'azure_ai/DeepSeek-V4', api_base: `${FOUNDRY}/models/chat/completions?api-version=2024-05-01-preview` },
    'openai-chat',
    `${FOUNDRY}/models`,
    '2024-05-01-preview',
    'DeepSeek-V4',
  ],
  [
    { model: 'azure_ai/DeepSeek-V4', api_base: FOUNDRY },
    'openai-chat',
    `${FOUNDRY}/openai/v1`,
    undefined,
    'DeepSeek-V4',
  ],
  [{ model: 'azure_ai/gpt-5.4', api_base: FOUNDRY }, 'openai', `${FOUNDRY}/openai/v1`, undefined, 'gpt-5.4'],
] as const)('%j is asked as %s at %s, version %s', async ([params, protocol, baseUrl, apiVersion, model]) => {
  const { upstream, target, credential } = await deployed({ api_base: RESOURCE, api_key: 'key-1', ...params })
  expect([upstream?.dialect, upstream?.protocol, upstream?.baseUrl, upstream?.apiVersion, target?.model]).toEqual([
    'azure',
    protocol,
    baseUrl,
    apiVersion,
    model,
  ])
  expect(credential).toEqual({ name: 'default', secret: 'key-1', isDisabled: false })
})

test('an endpoint of one model in Foundry is asked as OpenAI is', async () => {
  const api_base = 'https://llama.eastus2.models.ai.azure.com'
  const { upstream } = await deployed({ model: 'azure_ai/Llama', api_base, api_key: 'k' })
  expect(upstream).toMatchObject({ protocol: 'openai-chat', baseUrl: api_base })
  expect(upstream?.dialect).toBeUndefined()
})

test.for([
  [{}, { environment: { AZURE_API_KEY: 'env-key' } }, { secret: 'env-key' }],
  [{ ...APP }, {}, { secret: 'app-secret', kind: 'azure', settings: { source: 'client_secret', tenant_id: 'tenant' } }],
  [{ ...APP, api_key: 'key-1' }, {}, { secret: 'key-1' }],
  [
    {
      tenant_id: 'os.environ/AZURE_TENANT_ID',
      client_id: 'os.environ/AZURE_CLIENT_ID',
      client_secret: 'os.environ/AZURE_CLIENT_SECRET',
    },
    { environment: { AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', AZURE_CLIENT_SECRET: 's' } },
    { secret: 's', kind: 'azure', settings: { source: 'client_secret', tenant_id: 't', client_id: 'c' } },
  ],
] as const)('Azure: the credential of %j', async ([params, about, credential]) => {
  const found = await deployed({ model: 'azure/ours', api_base: RESOURCE, ...params }, about)
  expect(found.credential).toMatchObject({ isDisabled: false, ...credential })
})

test.for([
  [{ azure_ad_token: 'eyJ' }, 'have an azure_ad_token, which ends'],
  [{ azure_ad_token: 'oidc/google/x', tenant_id: 't', client_id: 'c' }, 'have an azure_ad_token, which ends'],
  [{ azure_username: 'ada', azure_password: 'p', client_id: 'c' }, 'sign in with a person’s password'],
  [{}, 'name a credential that is not here'],
] as const)('Azure: %j leaves the credential disabled, with the reason', async ([params, reason]) => {
  const { credential, said } = await deployed({ model: 'azure/ours', api_base: RESOURCE, ...params })
  expect(credential?.isDisabled).toBe(true)
  expect(said).toContain(reason)
})

test('a configuration that lets LiteLLM renew tokens of Azure has the managed identity', async () => {
  const plan = await planFor({
    model_list: [{ model_name: 'm', litellm_params: { model: 'azure/ours', api_base: RESOURCE } }],
    litellm_settings: { enable_azure_ad_token_refresh: true },
  })
  expect(plan.upstreams[0]?.credentials).toMatchObject([
    { kind: 'azure', settings: { source: 'managed_identity' }, isDisabled: false },
  ])
})

const CLAUDE = 'anthropic.claude-sonnet-4-5-20250929-v1:0'
const PROFILE = `arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc`
test.for([
  [{ model: `bedrock/${CLAUDE}`, aws_region_name: 'eu-central-1' }, 'eu-central-1', CLAUDE],
  [{ model: `bedrock/converse/us.${CLAUDE}`, aws_region_name: 'us-east-1' }, 'us-east-1', `us.${CLAUDE}`],
  // BerriAI/litellm#5492: an inference profile, which was taken for a provider called eu.
  [{ model: `bedrock/eu.${CLAUDE}`, aws_region_name: 'eu-west-3' }, 'eu-west-3', `eu.${CLAUDE}`],
  [{ model: `bedrock/invoke/${CLAUDE}`, aws_region_name: 'us-east-1' }, 'us-east-1', CLAUDE],
  [{ model: `bedrock/us-gov-west-1/${CLAUDE}` }, 'us-gov-west-1', CLAUDE],
  [{ model: `bedrock/converse/eu-central-1/${CLAUDE}` }, 'eu-central-1', CLAUDE],
  [{ model: `bedrock/${CLAUDE}[1m]`, aws_region_name: 'us-east-1' }, 'us-east-1', CLAUDE],
  [{ model: CLAUDE, aws_region_name: 'us-east-1' }, 'us-east-1', CLAUDE],
  [{ model: `bedrock/${CLAUDE}`, model_id: PROFILE }, 'eu-west-1', PROFILE],
  [{ model: `bedrock/${CLAUDE}` }, 'us-west-2', CLAUDE],
] as const)('%j is asked in %s', async ([params, region, model]) => {
  const { upstream, target, credential } = await deployed({ ...AWS, ...params })
  expect([upstream?.dialect, upstream?.protocol, upstream?.baseUrl, upstream?.region, target?.model]).toEqual([
    'bedrock',
    'anthropic',
    `https://bedrock-runtime.${region}.amazonaws.com`,
    undefined,
    model,
  ])
  expect(credential).toEqual({
    name: 'default',
    secret: 'aws/secret',
    kind: 'aws',
    settings: { source: 'keys', access_key_id: 'AKIA1' },
    isDisabled: false,
  })
})

test.for([
  ['bedrock/us.amazon.nova-pro-v1:0', 'converse', 'us.amazon.nova-pro-v1:0'],
  ['bedrock/converse/meta.llama3-3-70b-instruct-v1:0', 'converse', 'meta.llama3-3-70b-instruct-v1:0'],
  ['bedrock/openai.gpt-oss-120b-1:0', 'converse', 'openai.gpt-oss-120b-1:0'],
  ['bedrock/us.openai.gpt-6-sol', 'openai-chat', 'us.openai.gpt-6-sol'],
] as const)('%s is asked by %s', async ([model, protocol, name]) => {
  const { upstream, target } = await deployed({ ...AWS, model, aws_region_name: 'us-east-1' })
  expect([upstream?.protocol, upstream?.dialect, target?.model]).toEqual([protocol, 'bedrock', name])
})

test('an endpoint of its own keeps the region that requests to it are signed for', async () => {
  const endpoint = 'https://vpce-1.bedrock-runtime.house.test/'
  const params = { model: `bedrock/${CLAUDE}`, aws_region_name: 'eu-west-1', aws_bedrock_runtime_endpoint: endpoint }
  const { upstream } = await deployed({ ...AWS, ...params })
  expect([upstream?.baseUrl, upstream?.region]).toEqual(['https://vpce-1.bedrock-runtime.house.test', 'eu-west-1'])
})

const ROLE = { aws_role_name: 'arn:aws:iam::1:role/llm', aws_session_name: 'tollgate' }
test.for([
  [{ api_key: 'ABSK-1' }, {}, { secret: 'ABSK-1', isDisabled: false }],
  [
    { ...AWS, ...ROLE },
    {},
    {
      secret: 'aws/secret',
      settings: { source: 'keys', access_key_id: 'AKIA1', role_arn: ROLE.aws_role_name, session_name: 'tollgate' },
    },
  ],
  [{ ...ROLE }, {}, { secret: '', settings: { source: 'instance', role_arn: ROLE.aws_role_name } }],
  [{ aws_profile_name: 'llm' }, {}, { secret: '', settings: { source: 'profile', profile: 'llm' } }],
  [
    { aws_access_key_id: 'os.environ/AWS_ACCESS_KEY_ID', aws_secret_access_key: 'os.environ/AWS_SECRET_ACCESS_KEY' },
    { environment: { AWS_ACCESS_KEY_ID: 'AKIA2', AWS_SECRET_ACCESS_KEY: 's2' } },
    { secret: 's2', settings: { source: 'keys', access_key_id: 'AKIA2' }, isDisabled: false },
  ],
  [
    {},
    { environment: { AWS_ACCESS_KEY_ID: 'AKIA2', AWS_SECRET_ACCESS_KEY: 's2' } },
    { secret: 's2', settings: { source: 'keys', access_key_id: 'AKIA2' } },
  ],
  [{}, {}, { secret: '', kind: 'aws', settings: { source: 'instance' }, isDisabled: false }],
] as const)('Bedrock: the credential of %j', async ([params, about, credential]) => {
  const found = await deployed({ model: `bedrock/${CLAUDE}`, ...params }, about)
  expect(found.credential).toMatchObject(credential)
})

test('keys of this machine are never sent to a provider, and are not signed with where only others are allowed', async () => {
  const environment = { AWS_ACCESS_KEY_ID: 'AKIA2', AWS_SECRET_ACCESS_KEY: 's2', AWS_BEARER_TOKEN_BEDROCK: 'b' }
  const sent = await deployed(
    { model: 'openai/x', api_base: 'https://relay.test/v1', api_key: 'os.environ/AWS_SECRET_ACCESS_KEY' },
    { environment },
  )
  expect(sent.credential?.isDisabled).toBe(true)
  const bearer = { model: `bedrock/${CLAUDE}`, api_key: 'os.environ/AWS_BEARER_TOKEN_BEDROCK' }
  expect((await deployed(bearer, { environment })).credential?.isDisabled).toBe(true)
  const keys = {
    aws_access_key_id: 'os.environ/AWS_ACCESS_KEY_ID',
    aws_secret_access_key: 'os.environ/AWS_SECRET_ACCESS_KEY',
  }
  const asked = { model: `bedrock/${CLAUDE}`, ...keys }
  const named = await deployed(asked, { environment, variables: new Set(['AWS_ACCESS_KEY_ID']) })
  expect(named.credential?.isDisabled).toBe(true)
  expect(JSON.stringify(named.plan.variables)).toContain('not_allowed')
})

test.for([
  [{ ...AWS, aws_session_token: 't' }, 'have an aws_session_token, whose keys end'],
  [{ ...ROLE, aws_web_identity_token: 'oidc/x' }, 'have an aws_web_identity_token'],
  [{ aws_access_key_id: 'AKIA1' }, 'name a credential that is not here'],
] as const)('Bedrock: %j leaves the credential disabled, with the reason', async ([params, reason]) => {
  const { credential, said } = await deployed({ model: `bedrock/${CLAUDE}`, ...params })
  expect(credential?.isDisabled).toBe(true)
  expect(said).toContain(reason)
})

test.for([
  [{ model: 'vertex_ai/gemini-2.5-pro' }, 'gemini', 'us-central1-aiplatform.googleapis.com', 'us-central1'],
  [{ model: 'gemini-2.5-pro' }, 'gemini', 'us-central1-aiplatform.googleapis.com', 'us-central1'],
  [{ model: 'vertex_ai/gemini-3-pro-preview' }, 'gemini', 'aiplatform.googleapis.com', 'global'],
  [
    { model: 'vertex_ai/claude-sonnet-4-5@20250929', vertex_location: 'global' },
    'anthropic',
    'aiplatform.googleapis.com',
    'global',
  ],
  [
    { model: 'vertex_ai/claude-opus-4-5', vertex_ai_location: 'europe-west1' },
    'anthropic',
    'europe-west1-aiplatform.googleapis.com',
    'europe-west1',
  ],
  [
    { model: 'vertex_ai/claude-opus-4-5', vertex_location: 'eu' },
    'anthropic',
    'aiplatform.eu.rep.googleapis.com',
    'eu',
  ],
  [
    { model: 'vertex_ai/meta/llama-4-scout-17b-16e-instruct-maas', vertex_location: 'us-east5' },
    'openai-chat',
    'us-east5-aiplatform.googleapis.com',
    'us-east5',
  ],
  [
    { model: 'vertex_ai/gemini-2.5-pro', api_base: 'https://psc.house.test', vertex_location: 'us-east5' },
    'gemini',
    'psc.house.test',
    'us-east5',
  ],
] as const)('%j is asked as %s at %s', async ([params, protocol, host, location]) => {
  const { upstream, target, credential } = await deployed({ vertex_credentials: JSON.stringify(KEY_FILE), ...params })
  expect(upstream).toMatchObject({
    dialect: 'vertex',
    protocol,
    baseUrl: `https://${host}/v1/projects/house-1/locations/${location}`,
  })
  expect(target?.model).toBe(params.model.replace('vertex_ai/', ''))
  expect(credential).toMatchObject({ kind: 'gcp', settings: { source: 'service_account' }, isDisabled: false })
  expect(JSON.parse(credential?.secret ?? '')).toEqual(KEY_FILE)
})

const GEMINI = { model: 'vertex_ai/gemini-2.5-pro', vertex_project: 'house-2', vertex_location: 'global' }
test.for([
  [{ vertex_credentials: KEY_FILE }, 'service_account'],
  [{ vertex_credentials: 'creds.json' }, 'service_account'],
  [{ vertex_credentials: 'os.environ/GOOGLE_KEY' }, 'service_account'],
  [{ vertex_credentials: { type: 'external_account', audience: 'a' } }, 'workload_identity'],
  [{}, 'metadata'],
] as const)('Vertex AI: the credential of %j is of the source %s', async ([params, source]) => {
  const { credential, upstream } = await deployed(
    { ...GEMINI, ...params },
    { environment: { GOOGLE_KEY: JSON.stringify(KEY_FILE) }, files: { 'creds.json': JSON.stringify(KEY_FILE) } },
  )
  expect(credential).toMatchObject({ kind: 'gcp', settings: { source }, isDisabled: false })
  expect(upstream?.baseUrl).toContain('/projects/house-2/')
})

test.for([
  [{ vertex_credentials: '/etc/hostname' }, 'name a file of vertex_credentials that is not beside the configuration'],
  [{ vertex_credentials: '../creds.json' }, 'name a file of vertex_credentials that is not beside the configuration'],
  [{ vertex_credentials: { type: 'authorized_user' } }, 'of a person’s sign-in'],
  [{ vertex_credentials: '{"a":1}' }, 'that are not a key file of Google’s'],
] as const)('Vertex AI: %j leaves the credential disabled, with the reason', async ([params, reason]) => {
  const { credential, said } = await deployed({ ...GEMINI, ...params })
  expect(credential).toMatchObject({ secret: 'none', isDisabled: true })
  expect(said).toContain(reason)
})

test.for([
  [{ model: 'azure/ours', api_key: 'k' }, 'name no api_base that can be used'],
  [{ model: 'azure/*', api_base: RESOURCE, api_key: 'k' }, 'stand for many deployments (*) of Azure'],
  [{ model: 'bedrock/agent/A1/B2' }, 'are asked by agent at Bedrock'],
  [{ model: 'bedrock/amazon.titan-embed-text-v2:0' }, 'do not chat at Bedrock'],
  [{ ...GEMINI, model: 'vertex_ai/text-embedding-005' }, 'in a form of their own'],
  [{ ...GEMINI, model: 'vertex_ai/mistral-large@2411' }, 'in a form of their own'],
  [{ model: 'vertex_ai/gemini-2.5-pro' }, 'name no project of Google Cloud'],
] as const)('%j is not carried, with the reason', async ([params, sentence]) => {
  const { upstream, said } = await deployed(params)
  expect([upstream, said]).toEqual([undefined, expect.stringContaining(sentence)])
})

test('deployments of one resource and one credential are one upstream, and those of another region are another', async () => {
  const at = (model: string, more: object = {}) => ({ model_name: model, litellm_params: { ...AWS, model, ...more } })
  const { upstreams, models } = await planFor({
    model_list: [
      at(`bedrock/us.${CLAUDE}`, { aws_region_name: 'us-east-1' }),
      at(`bedrock/eu.${CLAUDE}`, { aws_region_name: 'eu-west-1' }),
      at(`bedrock/us-east-1/${CLAUDE}`),
    ],
  })
  expect(upstreams.map(({ name, baseUrl }) => `${name} ${baseUrl}`)).toEqual([
    'bedrock https://bedrock-runtime.us-east-1.amazonaws.com',
    'bedrock 2 https://bedrock-runtime.eu-west-1.amazonaws.com',
  ])
  expect(models.map(({ targets }) => targets[0]?.upstream)).toEqual(['bedrock', 'bedrock 2', 'bedrock'])
})

test('a credential of the list serves deployments of a cloud', async () => {
  const { upstreams } = await planFor({
    credential_list: [{ credential_name: 'aws', credential_values: { ...AWS, aws_region_name: 'eu-west-3' } }],
    model_list: [{ model_name: 'm', litellm_params: { model: `bedrock/${CLAUDE}`, litellm_credential_name: 'aws' } }],
  })
  expect(upstreams).toMatchObject([
    { baseUrl: 'https://bedrock-runtime.eu-west-3.amazonaws.com', credentials: [{ secret: 'aws/secret' }] },
  ])
})
