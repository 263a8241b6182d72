import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { keysQuery } from '../../../api/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { freeName, proposedName } from './proposed-name.ts'

/** A name is looked up when its writer pauses. */
const PAUSE_MS = 400
/** The number of names that a page of the list has. */
const MOST_NAMES = 200

/** Keys with this in their names, as far as one page has them. */
function useNamedLike(name: string): readonly { readonly id: string; readonly name: string; readonly end: string }[] {
  const search = name.trim()
  const found = useQuery({
    ...keysQuery({ search, sort: 'name', order: 'asc', limit: MOST_NAMES }),
    enabled: search !== '',
  })
  const keys = found.isPlaceholderData ? [] : (found.data?.data ?? [])
  return keys.map((key) => ({ id: key.id, name: key.name, end: key.secret_end }))
}

/** A name for a new key that no other has, after the reader's machine where none is given; empty: not known yet. */
export function useFreeName(given?: string): string {
  const { proposedNames } = useTexts('keys')
  const proposed = given ?? proposedName(navigator.userAgent, proposedNames)
  const found = useQuery(keysQuery({ search: proposed, sort: 'name', order: 'asc', limit: MOST_NAMES }))
  if (found.isPending) return ''
  return freeName(proposed, found.data?.data.map(({ name }) => name) ?? [])
}

/** What the key is called. A proposed name is selected, so that typing replaces it; one that another key has is said. */
export function NameField(props: {
  readonly value: string
  onValue(name: string): void
  /** undefined: a new key. */
  readonly keyId: string | undefined
  readonly isProposed: boolean
  readonly hasFocusAtFirst: boolean
  readonly error: string | undefined
}): ReactNode {
  const t = useTexts('keys').form
  const { value, isProposed } = props
  const place = useRef<HTMLDivElement>(null)
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  useLayoutEffect(() => {
    const input = place.current?.querySelector('input')
    if (isProposed && input != null && input === document.activeElement) input.select()
  }, [value, isProposed])
  const same = useNamedLike(settled).find(
    ({ id, name }) => id !== props.keyId && name.toLowerCase() === value.trim().toLowerCase(),
  )
  return (
    <div ref={place}>
      <TextField
        name="name"
        label={t.name}
        hint={
          same === undefined ? (
            t.nameHint
          ) : (
            <span role="status" className="flex gap-1.5 text-warn">
              <Icon name="warning" className="mt-0.5" />
              <span>{t.nameTaken(same.name, same.end)}</span>
            </span>
          )
        }
        autoFocus={props.hasFocusAtFirst}
        maxLength={120}
        value={value}
        onValue={props.onValue}
        error={props.error}
      />
    </div>
  )
}
