import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { CHAT_WIRES, wireTitle } from '../../format/wire-names.ts'
import type { ComboboxOption } from '../../ui/combobox.tsx'
import { SearchCombobox } from '../../ui/search-combobox.tsx'

/** The newest used ones at first; the server looks for the others. */
const KEYS_OFFERED = 20

/** Keys of an account to choose from (none while it is null), and the one that is chosen: at first the one used last. */
export function useOfferedKeys(account: string | null) {
  const [sought, seek] = useState('')
  const [chosen, choose] = useState<ComboboxOption | null>(null)
  const query = useQuery({
    ...keysQuery({ account_id: account, sort: 'last_used_at', order: 'desc', limit: KEYS_OFFERED, search: sought }),
    enabled: account !== null,
  })
  const found = (query.data?.data ?? [])
    // Not those of the account before, while those of this one are on their way.
    .filter(({ account_id: owner }) => owner === account)
    .map(({ id, name, secret_end: end }): ComboboxOption => ({ value: id, label: `${name} · …${end}` }))
  const first = sought === '' ? found[0] : undefined
  return { found, isSearching: query.isPlaceholderData, chosen: chosen ?? first ?? null, choose, seek }
}

export function KeyField(props: {
  readonly label: string
  readonly offered: ReturnType<typeof useOfferedKeys>
}): ReactNode {
  const t = useTexts('diagnose')
  const { found, isSearching, chosen, choose, seek } = props.offered
  return (
    <div className="grid gap-1.5">
      <p className="font-medium" aria-hidden="true">
        {props.label}
      </p>
      <SearchCombobox
        aria-label={props.label}
        placeholder={t.findKey}
        found={found}
        isSearching={isSearching}
        chosen={chosen}
        onSearch={seek}
        onValue={choose}
      />
    </div>
  )
}

export function ProtocolField(props: {
  readonly name: string
  readonly protocol: string
  onValue(protocol: string): void
}): ReactNode {
  const t = useTexts('diagnose')
  return (
    <SelectField
      name={props.name}
      label={t.protocol}
      value={props.protocol}
      onValue={props.onValue}
      options={CHAT_WIRES.map((wire) => ({ value: wire, label: wireTitle(wire) }))}
    />
  )
}
