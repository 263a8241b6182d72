import { expect, onTestFinished } from 'vitest'
import type { GroupStore } from '../../src/access/group.ts'
import { SnapshotKeeper, type SnapshotKeeperOptions } from '../../src/app/server/snapshot-keeper.ts'
import type { UpstreamInUse } from '../../src/gateway/snapshot.ts'
import type { CatalogStore, Upstream } from '../../src/routing/catalog.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'

/** An upstream with one credential and no settings of its own, but for what is given. */
export function plainUpstream(over: Partial<Upstream> = {}): Upstream {
  return {
    id: 'ups_1',
    name: 'main',
    protocol: 'openai',
    baseUrl: '',
    credentials: [unlimitedCredential('sealed')],
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    timeoutMs: null,
    maxConcurrency: null,
    headers: {},
    isManaged: false,
    ...over,
  }
}

/** The upstream as the gateway holds it once it is stored, until the test ends. Its sealed secrets are the secrets. */
export async function upstreamInUse(
  upstream: Upstream,
  minted?: SnapshotKeeperOptions['minted'],
): Promise<UpstreamInUse> {
  const catalog = { models: async () => [], upstreams: async () => [upstream], credentialStates: async () => [] }
  const snapshots = new SnapshotKeeper({
    groups: { groups: async () => [] } as unknown as GroupStore,
    catalog: catalog as unknown as CatalogStore,
    announcements: { announcements: async () => [] },
    openCredential: (sealed) => sealed,
    demoUpstream: () => expect.unreachable(),
    onError: (_name, error) => expect.unreachable(String(error)),
    ...(minted === undefined ? {} : { minted }),
  })
  await snapshots.reload()
  onTestFinished(() => snapshots.close())
  return snapshots.current.upstreamsById.get(upstream.id) ?? expect.unreachable()
}
