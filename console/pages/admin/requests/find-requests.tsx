import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { modelsQuery } from '../../../api/models.ts'
import { useStaffSearch } from '../../../api/staff-search.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import type { ComboboxOption } from '../../../ui/combobox.tsx'
import { SearchCombobox } from '../../../ui/search-combobox.tsx'
import type { Dimension } from './explore-search.ts'

const MOST = 6
/** The fewest characters that the server searches for. */
const FEWEST_SAID = 3
const REQUEST_ID = /^req_\w{10,40}$/

/**
 * One field for whatever is known of a request: its ID opens it; an account, a key by its last four characters, a group, a
 * model, an upstream, or a word of an error narrows the view, what a provider said or called it the list of requests.
 */
export function FindRequests(props: {
  onNarrow(dimension: Dimension, value: string): void
  onOpen(requestId: string): void
  onSaid(words: string): void
}): ReactNode {
  const t = useTexts('requests')
  const shared = useSharedTexts()
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const { found, isSearching } = useStaffSearch(words)
  const models = useQuery({ ...modelsQuery, enabled: words !== '' }).data ?? []
  const faults = useFaultsOf(words)
  const option = (dimension: Dimension, value: string, label: string): ComboboxOption => ({
    value: `${dimension} ${value}`,
    label: `${t.dimensions[dimension]} · ${label}`,
  })
  const options = [
    ...(REQUEST_ID.test(words) ? [{ value: `request ${words}`, label: t.find.request(words) }] : []),
    ...found.flatMap(({ kind, id, name, detail }) =>
      kind === 'plan' ? [] : [option(kind, kind === 'upstream' ? name : id, `${name} ${detail}`.trim())],
    ),
    ...models
      .filter(({ name }) => words !== '' && name.toLowerCase().includes(words.toLowerCase()))
      .slice(0, MOST)
      .map(({ name }) => option('model', name, name)),
    ...faults.map(({ code, title }) => option('fault', code, shared.inBrackets(title, code))),
    ...(words.length >= FEWEST_SAID ? [{ value: `said ${words}`, label: t.find.said(words) }] : []),
  ]
  return (
    <SearchCombobox
      // Empty again once something was chosen.
      key={chosen}
      aria-label={t.find.label}
      placeholder={t.find.placeholder}
      found={options}
      isSearching={isSearching}
      chosen={null}
      onSearch={(text) => setWords(text.trim())}
      onValue={(taken) => {
        if (taken === null) return
        const [kind = '', ...rest] = taken.value.split(' ')
        setWords('')
        setChosen((before) => before + 1)
        if (kind === 'request') props.onOpen(rest.join(' '))
        else if (kind === 'said') props.onSaid(rest.join(' '))
        else props.onNarrow(kind as Dimension, rest.join(' '))
      }}
    />
  )
}

/** Errors whose code or text has these words. */
function useFaultsOf(words: string): readonly { readonly code: string; readonly title: string }[] {
  const faults = useTexts('faults')
  const wanted = words.toLowerCase()
  if (wanted === '') return []
  return Object.entries(faults)
    .filter(([code, { title, cause }]) => `${code} ${title} ${cause}`.toLowerCase().includes(wanted))
    .slice(0, MOST)
    .map(([code, { title }]) => ({ code, title }))
}
