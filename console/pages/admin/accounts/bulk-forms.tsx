import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useLimitNames } from './one/limit-names.ts'
import { FIELDS, isWindow, limitsOf, toForm, validate } from './one/limits-form.ts'
import type { ChangeOf } from './use-bulk-change.tsx'

interface BulkFormProps {
  readonly accounts: readonly AccountView[]
  readonly isBusy: boolean
  onChange(of: ChangeOf): void
  onClose(): void
}

/** The form of a change of several accounts. */
export default function BulkForm({ of, ...props }: BulkFormProps & { readonly of: 'limits' | 'groups' }): ReactNode {
  return of === 'limits' ? <LimitMany {...props} /> : <OpenToMany {...props} />
}

/** Sets some limits of several accounts; those that are left empty stay as each account has them. */
function LimitMany(props: BulkFormProps): ReactNode {
  const t = useTexts('accounts').bulk.limits
  const limits = useTexts('oneAccount').limits
  const names = useLimitNames()
  const { accounts } = props
  const [form, setForm] = useState(() => toForm(null))
  const [isChecked, setChecked] = useState(false)
  const problems = validate(form)
  const wanted = limitsOf(form)
  const changed = accounts.filter((account) => changeOf(account, wanted) !== null)
  const send = (): void => {
    setChecked(true)
    if (Object.keys(problems).length === 0 && wanted !== null) {
      props.onChange((account) => changeOf(account, wanted))
    }
  }
  return (
    <BulkDialog
      title={t.title(accounts.length)}
      changes={changed.length}
      isBusy={props.isBusy}
      onSend={send}
      onClose={props.onClose}
    >
      <p className="mb-4 text-ink-2">{t.lead}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {FIELDS.map((field) => {
          const problem = problems[field]
          return (
            <NumberField
              of={isWindow(field) ? 'amount' : 'count'}
              inputMode="text"
              key={field}
              name={field}
              label={names[field]}
              {...(isWindow(field) ? { hint: limits.spendHint } : {})}
              value={form[field]}
              onValue={(text) => setForm({ ...form, [field]: text })}
              error={isChecked && problem !== undefined ? limits[problem] : undefined}
            />
          )
        })}
      </div>
    </BulkDialog>
  )
}

/** null: the account has these limits already, or is not changed here. */
function changeOf(account: AccountView, wanted: AccountView['limits']): ReturnType<ChangeOf> {
  if (wanted === null || account.managed || account.closed) return null
  const limits = { ...account.limits, ...wanted }
  const isSame = JSON.stringify(toForm(limits)) === JSON.stringify(toForm(account.limits))
  return isSame ? null : { limits }
}

/** What a change of several accounts asks for; `changes`: of how many of them anything would be different. */
function BulkDialog(props: {
  readonly title: string
  readonly changes: number
  readonly isBusy: boolean
  readonly children: ReactNode
  onSend(): void
  onClose(): void
}): ReactNode {
  const t = useTexts('accounts').bulk
  const shared = useSharedTexts()
  return (
    <Dialog
      isOpen
      title={props.title}
      onClose={props.onClose}
      foot={
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{shared.cancel}</Button>
          <Button look="primary" isBusy={props.isBusy} disabled={props.changes === 0} onClick={props.onSend}>
            {t.send(props.changes)}
          </Button>
        </div>
      }
    >
      {props.children}
    </Dialog>
  )
}

/** Opens closed groups to several accounts, or closes them again; the others of each account stay. */
function OpenToMany(props: BulkFormProps): ReactNode {
  const t = useTexts('accounts').bulk.groups
  const groups = useQuery(groupsQuery).data?.data ?? []
  const closed = groups.filter(({ open }) => !open)
  const { accounts } = props
  const [opened, setOpened] = useState<readonly string[]>([])
  const [shut, setShut] = useState<readonly string[]>([])
  const known = new Set(groups.map(({ id }) => id))
  const change: ChangeOf = (account) => {
    if (account.managed || account.closed) return null
    // A group that is gone meanwhile would be refused.
    const before = account.open_groups.filter((id) => known.has(id))
    const after = [...new Set([...before, ...opened])].filter((id) => !shut.includes(id))
    const isSame = after.length === before.length && after.every((id) => before.includes(id))
    return isSame ? null : { open_groups: after }
  }
  const changed = accounts.filter((account) => change(account) !== null)
  const options = closed.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <BulkDialog
      title={t.title(accounts.length)}
      changes={changed.length}
      isBusy={props.isBusy}
      onSend={() => props.onChange(change)}
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
