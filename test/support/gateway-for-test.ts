/** A gateway process that ends with the test that started it. */
import { onTestFinished } from 'vitest'
import {
  type Environment,
  gatewayEnvironment,
  type GatewayProcess,
  type LaunchOptions,
  startGatewayProcess,
} from './gateway-process.ts'
import { temporaryDirectory } from './test-servers.ts'

/** The environment of a gateway on an empty data directory. */
export async function freshEnvironment(more: Environment = {}): Promise<Environment> {
  return gatewayEnvironment(await temporaryDirectory(), more)
}

/** Starts a gateway, and kills it when the test is over and it still runs. Call it inside a test. */
export async function startGateway(environment: Environment, options?: LaunchOptions): Promise<GatewayProcess> {
  const end = new AbortController()
  onTestFinished(() => end.abort())
  return startGatewayProcess(environment, { ...options, signal: end.signal })
}
