import { expect, onTestFinished, test } from 'vitest'
import { probeAddress } from '../../src/app/server/probe-address.ts'
import { systemClock } from '../../src/core/clock.ts'
import { startFakeAzure } from '../../tools/fake-upstream/clouds/azure.ts'

/** The list of models of Azure's v1 API was taken for what is deployed by langflow-ai/langflow#14023 and janhq/jan#8835. */
test.for([
  ['openai', '/openai/v1', null, ['gpt']],
  ['openai-chat', '', '2024-10-21', ['gpt']],
  ['anthropic', '/anthropic', null, ['claude']],
] as const)('the deployments of a resource are listed to %s at %s', async ([protocol, path, apiVersion, expected]) => {
  const deployments = {
    gpt: { model: 'fake/echo', base: 'gpt-5' },
    claude: { model: 'fake/echo', base: 'claude-sonnet-4-5' },
  }
  const azure = await startFakeAzure({ upstream: 'http://127.0.0.1:9', deployments })
  onTestFinished(() => azure.close())
  const cloud = { dialect: 'azure', region: null, apiVersion } as const
  const question = { baseUrl: azure.url + path, proxyUrl: null, headers: {}, protocol, cloud }
  expect(await probeAddress({ ...question, credential: 'azure-key' }, systemClock)).toMatchObject({
    protocol,
    models: expected,
    steps: [{ result: 'listed' }],
  })
  const refused = await probeAddress({ ...question, credential: 'another-key' }, systemClock)
  expect(refused).toMatchObject({ protocol: null, steps: [{ status: 401, result: 'credential_refused' }] })
})
