import { Combobox as Base } from '@base-ui/react/combobox'
import { useEffect, useState, type ReactNode } from 'react'
import { Choices, OpenMark, useHome, type ComboboxOption } from './combobox.tsx'

const TYPING_MS = 200

/** One of more than can be sent at once: the server is asked for what is typed, once the typing pauses. */
export function SearchCombobox(props: {
  readonly 'aria-label': string
  readonly placeholder: string
  /** What the server found for what was typed last. */
  readonly found: readonly ComboboxOption[]
  readonly isSearching: boolean
  readonly chosen: ComboboxOption | null
  onSearch(text: string): void
  /** What was taken, whatever has been found since. */
  onValue(option: ComboboxOption | null): void
}): ReactNode {
  const { found, chosen, onSearch } = props
  const [home, findHome] = useHome()
  const [typed, setTyped] = useState<string | null>(null)
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(() => onSearch(typed), TYPING_MS)
    return () => clearTimeout(timer)
    // Only what is typed starts the wait.
  }, [typed])
  return (
    <Base.Root
      items={found}
      // What was found is shown as it is: the server knows more of a key than its name.
      filter={null}
      value={chosen}
      itemToStringLabel={(option: ComboboxOption) => option.label}
      isItemEqualToValue={(a: ComboboxOption, b: ComboboxOption) => a.value === b.value}
      onInputValueChange={(text, details) => {
        if (details.reason === 'input-change' || details.reason === 'input-clear') setTyped(text)
      }}
      onValueChange={(option: ComboboxOption | null) => props.onValue(option)}
    >
      <div ref={findHome} className="relative" aria-busy={props.isSearching}>
        <Base.Input aria-label={props['aria-label']} placeholder={props.placeholder} className="control pr-8" />
        <OpenMark />
      </div>
      <Choices home={home} />
    </Base.Root>
  )
}
