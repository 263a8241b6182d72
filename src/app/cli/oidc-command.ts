import { systemClock } from '../../core/clock.ts'
import { tryProvider } from '../../control/sign-in.ts'
import { readEnvironment } from '../installation/environment.ts'
import { providerNetwork } from '../server/join-sign-in.ts'
import { CommandFailure } from './cli-host.ts'
import type { CommandRun } from './command.ts'

/** Tries the OIDC provider of this environment, and says of each part of a sign-in what is wrong and what to do. */
export const testOidc: CommandRun = async (_call, host) => {
  const { oidc, publicUrl } = readEnvironment(host.environment)
  if (oidc === null) {
    throw new CommandFailure(
      'No OIDC provider is set up: set TOLLGATE_OIDC_ISSUER in the environment of this command too.',
    )
  }
  const findings = await tryProvider({
    oidc,
    network: providerNetwork(systemClock),
    clock: systemClock,
    publicOrigin: publicUrl,
    randomBytes: (count) => host.randomBytes(count),
  })
  for (const { about, outcome, sentence } of findings) host.print(`${about}: ${outcome}, ${sentence}\n`)
  return findings.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}
