import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { changeGroup, createGroup, type UseOfGroup } from '../../../api/group-admin.ts'
import { modelsQuery } from '../../../api/models.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { type FormState, useForm } from '../../../forms/use-form.ts'
import { ROLES } from '../roles.ts'
import { DEVICE_FIELDS, DevicesOfGroup } from './group-devices.tsx'
import { EffectOfGroup } from './group-effect.tsx'
import { changeOf, effectOf, type GroupForm, NEW_GROUP, settingsOf, toForm, validate } from './group-form.ts'

/** A group that is new (made from another, where there is one) or edited, with the effect of saving before it is saved. */
export default function EditGroup(props: {
  readonly kind: 'new' | 'edit'
  readonly from: GroupView | null
  readonly use: UseOfGroup | null
  onClose(): void
}): ReactNode {
  const t = useTexts('groups')
  const { kind, use, onClose } = props
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [from] = useState(props.from)
  const edited = kind === 'edit' ? from : null
  const { data: models } = useQuery(modelsQuery)
  const names = models?.map(({ name }) => name) ?? []
  const form = useForm({
    initial: () => firstForm(kind, from, t.copyName),
    keptAs: `group ${kind} ${from?.id} ${from?.version}`,
    fields: [...Object.keys(NEW_GROUP), ...DEVICE_FIELDS],
    validate,
    messages: t.form,
    send: (values, { key, version }) =>
      edited === null
        ? createGroup(settingsOf(values, from?.cache ?? null), key)
        : changeGroup(edited.id, changeOf(edited, values), version ?? edited.version),
    done: ({ name }) => (edited === null ? t.created(name) : t.saved(name)),
    refreshes: ['groups', 'models', 'attention'],
    onClose,
  })
  const { values } = form
  const effect = edited === null ? null : effectOf(edited, values, { use, everyModel: names })
  return (
    <FormDrawer
      form={form}
      title={edited === null ? t.new : t.form.editTitle(edited.name)}
      description={edited === null ? t.lead : undefined}
      action={edited === null ? t.form.create : undefined}
      onClose={onClose}
    >
      <TextField {...form.text('name', t.form.name)} maxLength={100} autoFocus />
      <NumberField of="factor" {...form.text('multiplier', t.form.multiplier)} hint={t.form.multiplierHint} />
      <GroupModels form={form} names={names} upstreams={edited === null ? null : (edited.upstreams ?? [])} />
      <GroupAccess form={form} />
      <DevicesOfGroup form={form} />
      {effect !== null && <EffectOfGroup effect={effect} use={use} />}
    </FormDrawer>
  )
}

function firstForm(kind: 'new' | 'edit', from: GroupView | null, copyName: (name: string) => string): GroupForm {
  if (from === null) return NEW_GROUP
  const form = toForm(from)
  return kind === 'edit' ? form : { ...form, name: copyName(form.name) }
}

/** The models of a group. `upstreams`: where their requests go; null: nowhere yet, of a new group. */
function GroupModels(props: {
  readonly form: FormState<GroupForm>
  readonly names: readonly string[]
  readonly upstreams: readonly string[] | null
}): ReactNode {
  const t = useTexts('groups').form
  const { values, change, errorOf } = props.form
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{t.models}</legend>
      <Checkbox checked={values.hasAllModels} onChecked={(hasAllModels) => change({ hasAllModels })}>
        {t.everyModel}
      </Checkbox>
      {!values.hasAllModels && (
        <Field name="models" label={t.pick} error={errorOf('models')}>
          {(control) => (
            <MultiCombobox
              {...control}
              options={props.names.map((name) => ({ value: name, label: name }))}
              values={values.models}
              onValues={(chosen) => change({ models: chosen })}
            />
          )}
        </Field>
      )}
      {props.upstreams !== null && <UpstreamsOfGroup names={props.upstreams} />}
    </fieldset>
  )
}

/** Who may use a group, and whether anyone does: folded away while that is everyone. */
function GroupAccess({ form }: { readonly form: FormState<GroupForm> }): ReactNode {
  const t = useTexts('groups').form
  const { values, change } = form
  const [isUnusual] = useState(!values.open || !values.enabled)
  const openTo = values.open ? t.openAll : t.openSubscribers
  return (
    <Disclosure
      title={t.access}
      summary={values.enabled ? openTo : `${openTo} · ${t.isDisabled}`}
      isOpenAtFirst={isUnusual}
    >
      <div className="grid gap-4">
        <RadioCards<'all' | 'subscribers'>
          label={t.open}
          name="open"
          value={values.open ? 'all' : 'subscribers'}
          onValue={(to) => change({ open: to === 'all' })}
          options={[
            { value: 'all', label: t.openAll, detail: t.openAllHint },
            { value: 'subscribers', label: t.openSubscribers, detail: t.openSubscribersHint },
          ]}
        />
        {!values.open && <GroupRoles roles={values.roles} onRoles={(roles) => change({ roles })} />}
        <Checkbox checked={values.enabled} onChecked={(enabled) => change({ enabled })} hint={t.enabledHint}>
          {t.enabled}
        </Checkbox>
      </div>
    </Disclosure>
  )
}

function GroupRoles(props: {
  readonly roles: GroupForm['roles']
  onRoles(roles: GroupForm['roles']): void
}): ReactNode {
  const t = useTexts('groups').form
  const accounts = useTexts('accounts')
  const { roles, onRoles } = props
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{t.roles}</legend>
      <p className="mb-1 text-sm text-ink-3">{t.rolesHint}</p>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {ROLES.map((role) => (
          <Checkbox
            key={role}
            checked={roles.includes(role)}
            onChecked={(isOpen) => onRoles(ROLES.filter((each) => (each === role ? isOpen : roles.includes(each))))}
          >
            {accounts.roles[role]}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}

/** The upstreams that requests of a group may go to, and where that is set. */
function UpstreamsOfGroup({ names }: { readonly names: readonly string[] }): ReactNode {
  const t = useTexts('groups')
  const format = useFormat()
  return (
    <div className="mt-2 text-sm text-ink-3 [overflow-wrap:anywhere]">
      <p>{names.length === 0 ? t.form.noUpstreams : t.form.upstreams(format.list(names))}</p>
      <p>
        {t.form.upstreamsHint}{' '}
        <Link to={ADMIN_PATHS.prices} search={{}} className="text-accent underline">
          {t.form.openModels}
        </Link>
      </p>
    </div>
  )
}
