import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { keysQuery } from '../api/keys.ts'
import { SearchCombobox } from '../ui/search-combobox.tsx'

/** So many are offered at once; the rest is found by typing. */
const MOST_OFFERED = 20

/** One of any number of keys: the server looks for what is typed, in names and in the shown parts of secrets. */
export function KeyCombobox(props: {
  readonly label: string
  readonly placeholder: string
  /** The id; null: none. */
  readonly value: string | null
  /** Of the chosen key, where it is not among those that were found. */
  readonly name: string | undefined
  onValue(id: string | null): void
}): ReactNode {
  const { value } = props
  const [typed, setTyped] = useState('')
  const keys = useQuery(keysQuery({ limit: MOST_OFFERED, sort: 'last_used_at', order: 'desc', search: typed }))
  const found = (keys.data?.data ?? []).map((key) => ({
    value: key.id,
    label: key.name,
    detail: `${key.secret_start}…${key.secret_end}`,
  }))
  const chosen = found.find((key) => key.value === value) ?? { value: value ?? '', label: props.name ?? value ?? '' }
  return (
    <SearchCombobox
      aria-label={props.label}
      placeholder={props.placeholder}
      found={found}
      isSearching={keys.isPlaceholderData}
      chosen={value === null ? null : chosen}
      onSearch={setTyped}
      onValue={props.onValue}
    />
  )
}
