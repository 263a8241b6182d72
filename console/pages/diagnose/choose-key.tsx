import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Field } from '../../forms/field.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { CHAT_WIRES, wireTitle } from '../../format/wire-names.ts'

/** The newest used ones at first; the server looks for the others. */
const KEYS_OFFERED = 20
const TYPING_MS = 200

/** Keys to choose from, of the asker or of another `account` (none while it is null), and the one that is chosen. */
export function useOfferedKeys({
  account,
  initial = '',
}: {
  readonly account?: string | null
  readonly initial?: string
}) {
  const [sought, setSought] = useState(initial)
  const [key, setKey] = useState<string | null>(null)
  const query = useQuery({
    ...keysQuery({ account_id: account, sort: 'last_used_at', order: 'desc', limit: KEYS_OFFERED, search: sought }),
    enabled: account !== null,
  })
  // Not those of the account before, while those of this one are on their way.
  const keys = (query.data?.data ?? []).filter(({ account_id: owner }) => account === undefined || owner === account)
  return {
    query,
    keys,
    chosen: keys.find(({ id }) => id === key)?.id ?? keys[0]?.id ?? null,
    choose: setKey,
    sought,
    seek: setSought,
    isMore: sought !== '' || (query.data?.next_cursor ?? null) !== null,
    hasNone: sought === '' && query.isSuccess && !query.isPlaceholderData && keys.length === 0,
  }
}

export function KeyField(props: {
  readonly name: string
  readonly label: string
  readonly offered: ReturnType<typeof useOfferedKeys>
}): ReactNode {
  const t = useTexts('diagnose')
  const { keys, chosen, choose, sought, seek, isMore, hasNone } = props.offered
  const named = keys.map(({ id, name, secret_end: end }) => ({ value: id, label: `${name} · …${end}` }))
  return (
    <Field name={props.name} label={props.label}>
      {(control) => (
        <div className="grid gap-1.5">
          {isMore && <KeySearch label={t.findKey} initial={sought} onSearch={seek} />}
          <Select<string>
            {...control}
            value={chosen ?? ''}
            onValue={choose}
            options={hasNone ? [{ value: '', label: t.noKeyYet }] : named}
          />
        </div>
      )}
    </Field>
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

/** The server is asked for what is typed, in names and in the shown parts of secrets, once the typing pauses. */
function KeySearch(props: {
  readonly label: string
  readonly initial: string
  onSearch(text: string): void
}): ReactNode {
  const [typed, setTyped] = useState(props.initial)
  useEffect(() => {
    const timer = setTimeout(() => props.onSearch(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
    // Only what is typed starts the wait.
  }, [typed])
  return (
    <Input
      type="search"
      aria-label={props.label}
      placeholder={props.label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
