import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import type { ChangeOf } from './use-bulk-change.tsx'

/** Opens closed groups to several accounts, or closes them again; the others of each account stay. */
export default function OpenToMany(props: {
  readonly accounts: readonly AccountView[]
  readonly isBusy: boolean
  onChange(of: ChangeOf): void
  onClose(): void
}): ReactNode {
  const t = useTexts('accounts').bulk.groups
  const groups = useQuery(groupsQuery).data?.data ?? []
  const closed = groups.filter(({ open }) => !open)
  const { accounts } = props
  const [opened, setOpened] = useState<readonly string[]>([])
  const [shut, setShut] = useState<readonly string[]>([])
  const known = new Set(groups.map(({ id }) => id))
  const changeOf: ChangeOf = (account) => {
    if (account.managed || account.closed) return null
    // A group that is gone meanwhile would be refused.
    const before = account.open_groups.filter((id) => known.has(id))
    const after = [...new Set([...before, ...opened])].filter((id) => !shut.includes(id))
    const isSame = after.length === before.length && after.every((id) => before.includes(id))
    return isSame ? null : { open_groups: after }
  }
  const changed = accounts.filter((account) => changeOf(account) !== null)
  const options = closed.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <BulkDialog
      title={t.title(accounts.length)}
      changes={changed.length}
      isBusy={props.isBusy}
      onSend={() => props.onChange(changeOf)}
      onClose={props.onClose}
    >
      {closed.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <div className="grid gap-4">
          <Field name="opened" label={t.open}>
            {(control) => (
              <MultiCombobox
                {...control}
                options={options}
                values={opened}
                onValues={(ids) => {
                  setOpened(ids)
                  setShut(shut.filter((id) => !ids.includes(id)))
                }}
              />
            )}
          </Field>
          <Field name="shut" label={t.close} hint={t.closeHint}>
            {(control) => (
              <MultiCombobox
                {...control}
                options={options}
                values={shut}
                onValues={(ids) => {
                  setShut(ids)
                  setOpened(opened.filter((id) => !ids.includes(id)))
                }}
              />
            )}
          </Field>
        </div>
      )}
    </BulkDialog>
  )
}
