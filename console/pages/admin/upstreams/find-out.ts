import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import { probeUpstream } from '../../../api/upstream-admin.ts'
import { type AddressForm, connectionOf, type Found } from './address-form.ts'

/** Finds out with the first credential which protocol the address speaks, then whether it takes each of the others. */
export async function findOut(address: AddressForm): Promise<Found> {
  const connection = connectionOf(address)
  const { credentials, models: _, ...asked } = connection
  const [{ secret = null, ...minted } = {}, ...more] = credentials
  const probe = await probeUpstream({ ...asked, credential: secret, ...minted })
  const others: boolean[] = []
  for (const credential of probe.protocol === null ? [] : more) {
    const { protocol } = await probeUpstream({
      ...asked,
      credential: credential.secret ?? null,
      protocol: probe.protocol,
    })
    others.push(protocol !== null)
  }
  if (probe.protocol === null) return { address, connection, probe, others: more.map(() => true) }
  return { address, connection: { ...connection, protocol: probe.protocol, base_url: probe.base_url }, probe, others }
}

/** Whether there is no list of models at an address that is known otherwise, so that the list proves nothing against it. */
export function lacksList({ connection, probe }: Found): boolean {
  return connection.protocol !== null && probe.steps.at(-1)?.result === 'no_list'
}

/** Whether something answered there, so that models that an admin names may be served from it. */
export function answers({ steps }: Pick<UpstreamProbeView, 'steps'>): boolean {
  return steps.some(({ status, result }) => status !== null || result === 'no_list')
}

/** What is found where the list cannot be had: the address as it was typed, without the path of an endpoint. */
export function withoutList(found: Found): Found {
  const [first] = found.probe.steps
  const { connection } = found
  const isKnown = connection.protocol !== null
  const url = isKnown ? connection.base_url : (first?.url.replace(/\/models$/, '') ?? connection.base_url)
  return {
    ...found,
    connection: { ...connection, base_url: url, protocol: connection.protocol ?? 'openai-chat' },
  }
}
