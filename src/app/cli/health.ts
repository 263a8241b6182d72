import { readEnvironment } from '../installation/environment.ts'
import { listeningOrigin, reachable } from '../server/gateway-origin.ts'
import type { CommandRun } from './command.ts'
import { CommandFailure } from './cli-host.ts'
import { connectionAdvice } from './ask-gateway.ts'

/** Health checks of containers give up after 3 s or later. */
const WITHIN_MS = 2_500

/**
 * Asks the gateway that this environment describes whether it lives, or with `--ready` whether it takes requests. For health
 * checks of containers, whose image has no other program that could ask.
 */
export const health: CommandRun = async (call, host) => {
  const { host: address, port } = readEnvironment(host.environment)
  if (port === 0) {
    throw new CommandFailure('PORT is 0, so the gateway listens on a port that cannot be known here: set PORT.')
  }
  const origin = reachable(listeningOrigin(address, port))
  const path = call.has('ready') ? '/readyz' : '/healthz'
  const response = await fetch(origin + path, { redirect: 'manual', signal: AbortSignal.timeout(WITHIN_MS) }).catch(
    (error: unknown) => {
      throw new CommandFailure(connectionAdvice(error, origin))
    },
  )
  const body = (await response.text()).slice(0, SHOWN_CHARACTERS).trim()
  if (!response.ok) throw new CommandFailure(`${origin}${path} answered ${response.status}: ${body}`)
  host.print(`ok ${origin}${path}\n`)
  return 0
}

const SHOWN_CHARACTERS = 200
