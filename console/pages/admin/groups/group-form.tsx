import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { changeGroup, createGroup, type UseOfGroup } from '../../../api/group-admin.ts'
import { modelsQuery } from '../../../api/models.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Field } from '../../../forms/field.tsx'
import { Form } from '../../../forms/form.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useSubmission } from '../../../forms/use-submission.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { UpstreamsOfGroup } from './group-upstreams.tsx'
import { EffectOfGroup } from './group-effect.tsx'
import { ROLES } from '../roles.ts'
import { changeOf, effectOf, type GroupWish, NEW_GROUP, objectionsTo, settingsOf, wishOf } from './group-wish.ts'

/** A group that is new (made from another, where there is one) or edited, with the effect of saving before it is saved. */
export default function GroupForm(props: {
  readonly kind: 'new' | 'edit'
  readonly from: GroupView | null
  readonly use: UseOfGroup | null
  onClose(): void
}): ReactNode {
  const t = useTexts('groups')
  const accounts = useTexts('accounts')
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const toast = useToast()
  const { kind, use, onClose } = props
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [from] = useState(props.from)
  const edited = kind === 'edit' ? from : null
  const [wish, setWish] = useState(() => firstWish(kind, from, t.copyName))
  const change = (part: Partial<GroupWish>): void => setWish({ ...wish, ...part })
  const { data: models } = useQuery(modelsQuery)
  const names = models?.map(({ name }) => name) ?? []
  const submission = useSubmission({
    fields: Object.keys(wish),
    check: () =>
      Object.fromEntries(
        Object.entries(objectionsTo(wish)).map(([field, objection]) => [
          field,
          objection === 'required' ? shared.required : t.form[objection],
        ]),
      ),
    send: (key, overwritten) =>
      edited === null
        ? createGroup(settingsOf(wish, from?.cache ?? null), key)
        : changeGroup(edited.id, changeOf(edited, wish), overwritten ?? edited.version),
    onTheirs: () => {
      void queries.invalidateQueries({ queryKey: ['groups'] })
      onClose()
    },
    onDone: ({ name }) => {
      for (const part of ['groups', 'models', 'attention']) void queries.invalidateQueries({ queryKey: [part] })
      toast({ text: edited === null ? t.created(name) : t.saved(name) })
      onClose()
    },
  })
  const title = edited === null ? t.new : t.form.editTitle(edited.name)
  if (edited?.managed === true) {
    return (
      <Drawer isOpen title={edited.name} onClose={onClose}>
        <Notice>{t.managed}</Notice>
      </Drawer>
    )
  }
  const effect = edited === null ? null : effectOf(edited, wish, { use, everyModel: names })
  return (
    <Drawer isOpen title={title} description={edited === null ? t.lead : undefined} onClose={onClose}>
      <Form
        submission={submission}
        foot={
          <CancelOrSubmit
            submission={submission}
            action={edited === null ? t.form.create : shared.save}
            onCancel={onClose}
          />
        }
      >
        <TextField
          name="name"
          label={t.form.name}
          value={wish.name}
          onValue={(name) => change({ name })}
          error={submission.errorOf('name')}
          maxLength={100}
          autoFocus
        />
        <NumberField
          of="factor"
          name="multiplier"
          label={t.form.multiplier}
          hint={t.form.multiplierHint}
          value={wish.multiplier}
          onValue={(multiplier) => change({ multiplier })}
          error={submission.errorOf('multiplier')}
        />
        <fieldset className="min-w-0">
          <legend className="font-medium">{t.form.models}</legend>
          <Checkbox checked={wish.hasAllModels} onChecked={(hasAllModels) => change({ hasAllModels })}>
            {t.form.everyModel}
          </Checkbox>
          {!wish.hasAllModels && (
            <Field name="models" label={t.form.pick} error={submission.errorOf('models')}>
              {(control) => (
                <MultiCombobox
                  {...control}
                  options={names.map((name) => ({ value: name, label: name }))}
                  values={wish.models}
                  onValues={(chosen) => change({ models: chosen })}
                />
              )}
            </Field>
          )}
          {edited !== null && <UpstreamsOfGroup names={edited.upstreams ?? []} />}
        </fieldset>
        <RadioCards<'all' | 'subscribers'>
          label={t.form.open}
          name="open"
          value={wish.open ? 'all' : 'subscribers'}
          onValue={(to) => change({ open: to === 'all' })}
          options={[
            { value: 'all', label: t.form.openAll, detail: t.form.openAllHint },
            { value: 'subscribers', label: t.form.openSubscribers, detail: t.form.openSubscribersHint },
          ]}
        />
        {!wish.open && (
          <fieldset className="min-w-0">
            <legend className="font-medium">{t.form.roles}</legend>
            <p className="mb-1 text-sm text-ink-3">{t.form.rolesHint}</p>
            <div className="flex flex-wrap gap-x-5 gap-y-1">
              {ROLES.map((role) => (
                <Checkbox
                  key={role}
                  checked={wish.roles.includes(role)}
                  onChecked={(isOpen) =>
                    change({ roles: ROLES.filter((each) => (each === role ? isOpen : wish.roles.includes(each))) })
                  }
                >
                  {accounts.roles[role]}
                </Checkbox>
              ))}
            </div>
          </fieldset>
        )}
        <Checkbox checked={wish.enabled} onChecked={(enabled) => change({ enabled })} hint={t.form.enabledHint}>
          {t.form.enabled}
        </Checkbox>
        {effect !== null && <EffectOfGroup effect={effect} use={use} />}
      </Form>
    </Drawer>
  )
}

function firstWish(kind: 'new' | 'edit', from: GroupView | null, copyName: (name: string) => string): GroupWish {
  if (from === null) return NEW_GROUP
  const wish = wishOf(from)
  return kind === 'edit' ? wish : { ...wish, name: copyName(wish.name) }
}
