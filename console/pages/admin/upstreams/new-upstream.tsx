import { useState, type ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Drawer } from '../../../ui/dialog.tsx'
import { AddressForm } from './address-form.tsx'
import { ChooseModels } from './choose-models.tsx'
import type { AddressDraft, Found } from './found-address.ts'

/** Leads from a base URL, credentials and a name to a first real answer. */
export default function NewUpstream({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('upstreams')
  const [draft, setDraft] = useState<AddressDraft>({ url: '', secrets: '', proxyUrl: '', name: '' })
  const [found, setFound] = useState<Found | null>(null)
  return (
    <Drawer isOpen title={t.new} description={t.adding.lead} onClose={onClose}>
      {found === null ? (
        <AddressForm draft={draft} onDraft={setDraft} onFound={setFound} />
      ) : (
        <ChooseModels found={found} onBack={() => setFound(null)} onClose={onClose} />
      )}
    </Drawer>
  )
}
