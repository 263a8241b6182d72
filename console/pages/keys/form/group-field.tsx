import type { ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { formatMultiplier } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Combobox } from '../../../ui/combobox.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { CHAT_WIRES, wireName } from '../../../format/wire-names.ts'

/** Up to so many groups each get a card; more are found by typing. */
const MOST_CARDS = 5

/** The choice of the key's group, with what it means: price, models, protocols. */
export function GroupField(props: {
  readonly groups: readonly GroupView[]
  readonly value: string
  onValue(name: string): void
  readonly error: string | undefined
}): ReactNode {
  const t = useTexts('keys').form
  const { groups, value, onValue, error } = props
  if (groups.length === 0) return <Notice tone="warn">{t.noGroup}</Notice>
  if (groups.length > MOST_CARDS) {
    return (
      <Field name="group" label={t.group} error={error}>
        {(control) => (
          <Combobox
            {...control}
            placeholder={t.groupPlaceholder}
            value={value === '' ? null : value}
            onValue={(name) => onValue(name ?? '')}
            options={groups.map((group) => ({
              value: group.name,
              label: group.name,
              detail: <GroupDetail group={group} />,
              isDisabled: !isOpen(group) && group.name !== value,
            }))}
          />
        )}
      </Field>
    )
  }
  return (
    <div>
      <RadioCards
        label={t.group}
        name="group"
        columns={groups.length === 1 ? 1 : 2}
        value={value === '' ? null : value}
        onValue={onValue}
        options={groups.map((group) => ({
          value: group.name,
          label: group.name,
          detail: <GroupDetail group={group} />,
          isDisabled: !isOpen(group) && group.name !== value,
        }))}
      />
      {error !== undefined && (
        <p role="alert" className="mt-1 flex gap-1.5 text-sm text-bad">
          <Icon name="warning" className="mt-0.5" />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
}

function GroupDetail({ group }: { readonly group: GroupView }): ReactNode {
  const t = useTexts('keys').form
  const format = useFormat()
  const closed = !group.enabled ? t.groupOff : group.usable ? null : t.groupClosed
  // What every group has says nothing of this one.
  const lacking = CHAT_WIRES.filter((wire) => !group.protocols.includes(wire))
  const parts = [
    formatMultiplier(group.multiplier),
    t.groupModels(group.model_count),
    lacking.length === 0 ? null : t.groupLacks(format.list(lacking.map(wireName))),
    closed,
  ]
  return parts.filter((part) => part !== null && part !== '').join(' · ')
}

function isOpen(group: GroupView): boolean {
  return group.enabled && group.usable
}
