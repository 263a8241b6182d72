import { join } from 'node:path'
import { gatewayEnvironment, startGatewayProcess } from '../../test/support/gateway-process.ts'
import type { HeldTime } from './held-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export interface SampleProcessOptions {
  /** The directory of the database and the secret. */
  readonly directory: string
  /** Where its clock stands: epoch milliseconds. null: it goes with the machine's. */
  readonly standsAtMs: number | null
  /** Whether what only grows goes with that clock, so that nothing takes any time. */
  readonly holdsElapsed?: boolean
  /** What it draws follows from this; null: from chance. Two starts on the same data need two of them. */
  readonly seed: string | null
  readonly environment: Readonly<Record<string, string>>
}

/** A running gateway whose time is in the hand of its starter. */
export interface SampleProcess {
  /** `http://localhost:port`: a secure context for browsers, and a name that passkeys can have. */
  readonly origin: string
  /** Everything that it has printed so far. */
  printed(): string
  /** Moves the clock; resolves when it stands there. What is drawn from then on follows from `drawsFrom`, where it is given. */
  moveTo(atMs: number, drawsFrom?: string): Promise<void>
  stop(): Promise<void>
  /** SIGKILL: resolves when the process is gone. */
  kill(): Promise<void>
}

/** Starts a gateway from the sources on a free port and waits until it is ready. */
export async function startSampleProcess(options: SampleProcessOptions): Promise<SampleProcess> {
  const preload = new URL('./held-process.ts', import.meta.url).href
  const environment = gatewayEnvironment(options.directory, {
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'tollgate'),
    ...(options.standsAtMs === null ? {} : { SAMPLE_STANDS_AT_MS: String(options.standsAtMs) }),
    ...(options.holdsElapsed === true ? { SAMPLE_HOLDS_ELAPSED: '1' } : {}),
    ...(options.seed === null ? {} : { SAMPLE_SEED: options.seed }),
    ...options.environment,
  })
  const gateway = await startGatewayProcess(environment, {
    command: [process.execPath, `--import=${preload}`, 'src/main.ts'],
    cwd: ROOT,
    hasChannel: true,
  })
  return {
    origin: `http://localhost:${new URL(gateway.origin).port}`,
    printed: gateway.printed,
    moveTo: async (atMs, drawsFrom) => {
      const time: HeldTime = { standsAtMs: atMs, ...(drawsFrom === undefined ? {} : { drawsFrom }) }
      await gateway.ask(time)
    },
    stop: async () => void (await gateway.stop()),
    kill: gateway.kill,
  }
}
