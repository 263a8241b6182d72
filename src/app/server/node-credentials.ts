import { randomUUID } from 'node:crypto'
import { systemClock as clock } from '../../core/clock.ts'
import { MintedCredentials, type MintedCredentialsOptions } from '../../upstreams/minted-credentials.ts'
import type { Environment, Settings } from '../installation/environment.ts'

interface NodeFacts extends Pick<MintedCredentialsOptions, 'sealer' | 'log'> {
  readonly settings: Pick<Settings, 'identityTokenFiles' | 'identityHosts'>
  readonly environment?: Environment | undefined
}

/** Gets tokens for credentials that are minted. `store`: where threads and nodes share them; null: each is for one use. */
export function mintedCredentials(
  { sealer, log, settings, environment = {} }: NodeFacts,
  store: MintedCredentialsOptions['store'],
): MintedCredentials {
  const named = IDENTITY_FILES.map((name) => environment[name] ?? '').filter((path) => path !== '')
  return new MintedCredentials({
    clock,
    random: Math.random,
    store,
    sealer,
    holder: randomUUID(),
    machine: {
      environment,
      tokenFiles: [...settings.identityTokenFiles, ...named],
      tokenHosts: settings.identityHosts,
    },
    log,
  })
}

/** Variables of the clouds that name a file with an identity token. */
const IDENTITY_FILES = ['AWS_WEB_IDENTITY_TOKEN_FILE', 'AZURE_FEDERATED_TOKEN_FILE', 'ANTHROPIC_IDENTITY_TOKEN_FILE']
