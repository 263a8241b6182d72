import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LocalServersView } from '../../../../src/contract/local-servers.ts'
import { localServersQuery } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { VENDOR_GROUPS, VENDOR_IDS, type VendorId, vendorOf } from './vendors.ts'

type Local = LocalServersView['data'][number]

/** The known vendors in their groups, those alone that a search finds; and the servers that answer on the gateway's machine. */
export function VendorChoice(props: {
  readonly words: string
  onVendor(vendor: VendorId): void
  onLocal(server: Local): void
}): ReactNode {
  const t = useTexts('connecting')
  const nameOf = useVendorName()
  const running = useQuery(localServersQuery).data?.data ?? []
  // What answers is offered as it is, in place of asking for its address.
  const isRunning = (id: VendorId): boolean => running.some(({ server }) => server === id)
  const found = vendorsFound(props.words, nameOf).filter((id) => !isRunning(id))
  const local = running.filter(({ name }) => name.toLowerCase().includes(props.words.trim().toLowerCase()))
  return (
    <>
      {VENDOR_GROUPS.map((group) => {
        const vendors = found.filter((id) => vendorOf(id).group === group)
        const servers = group === 'local' ? local : []
        return (
          vendors.length + servers.length > 0 && (
            <section key={group} aria-label={t.groups[group]}>
              <h3 className="mb-1.5 text-sm font-medium text-ink-2">{t.groups[group]}</h3>
              <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
                {servers.map((server) => (
                  <li key={server.base_url}>
                    <VendorTile
                      name={server.name}
                      detail={t.runningAt(new URL(server.base_url).host, server.models)}
                      onPress={() => props.onLocal(server)}
                    />
                  </li>
                ))}
                {vendors.map((id) => (
                  <li key={id}>
                    <VendorTile name={nameOf(id)} detail={vendorOf(id).also} onPress={() => props.onVendor(id)} />
                  </li>
                ))}
              </ul>
            </section>
          )
        )
      })}
      {found.length + local.length === 0 && <p className="text-sm text-ink-2">{t.noMatch}</p>}
    </>
  )
}

/** A vendor that can be chosen. `detail`: what is said of it in small, empty where its name says all. */
function VendorTile(props: { readonly name: string; readonly detail: string; onPress(): void }): ReactNode {
  return (
    <button
      type="button"
      onClick={props.onPress}
      className="block size-full min-h-11 rounded-lg border border-line bg-surface px-3 py-2 text-left transition-colors hover:border-edge hover:bg-sunken"
    >
      <span className="block font-medium">{props.name}</span>
      {props.detail !== '' && <span className="block text-sm text-ink-3">{props.detail}</span>}
    </button>
  )
}

/** The vendors that a search finds, the first of which is the one to take. */
export function vendorsFound(words: string, nameOf: (id: VendorId) => string): readonly VendorId[] {
  const sought = words.trim().toLowerCase()
  return VENDOR_IDS.filter((id) => {
    const { name, also } = vendorOf(id)
    return `${nameOf(id)} ${name} ${also}`.toLowerCase().includes(sought)
  })
}

/** What a vendor is called in the reader's language: by its own name, where that is not one of the console's words. */
export function useVendorName(): (id: VendorId) => string {
  const names: Readonly<Partial<Record<VendorId, string>>> = useTexts('connecting').vendors
  return (id) => names[id] ?? vendorOf(id).name
}
