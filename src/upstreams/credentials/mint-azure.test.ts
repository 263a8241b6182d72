import { expect, onTestFinished, test, vi } from 'vitest'
import { startFakeTokenServices } from '../../../tools/fake-upstream/clouds/token-issuers.ts'
import { azureMinter } from './mint-azure.ts'
import { SigningClock } from './signing-clock.ts'

// Microsoft's library keeps the first transport of a process for all managed identities. The test needs a process without one.
test('a managed identity is renewed when the time for its first token is over', async () => {
  const services = await startFakeTokenServices()
  onTestFinished(() => services.close())
  for (const [name, value] of Object.entries(services.environment)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  // The library hands out again what is good for longer than five minutes.
  services.book.lifeSeconds = 60
  const upstream = {
    id: 'ups_1',
    name: 'cloud',
    protocol: 'openai',
    baseUrl: 'https://my.openai.azure.com/openai/v1',
  } as const
  const credential = {
    name: 'default',
    kind: 'azure',
    settings: { source: 'managed_identity' },
    sealedSecret: '',
  } as const
  const machine = {
    environment: process.env,
    tokenFiles: [],
    tokenHosts: [],
    fetch: services.fetch,
    clock: Date,
    signing: new SigningClock(Date),
  }
  const minter = azureMinter({ upstream, credential, secret: '' }, machine)
  const first = new AbortController()
  await minter.mint(first.signal)
  first.abort(new Error('the time for it is over'))
  const { value } = await minter.mint(new AbortController().signal)
  expect(value.is === 'bearer' && services.book.isGood(value.token)).toBe(true)
  expect(services.book.issued).toBe(2)
})
