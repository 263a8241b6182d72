import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { keyTagsQuery } from '../../../api/keys.ts'
import { modelsQuery } from '../../../api/models.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { formatMultiplier } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { wireName } from '../../../format/wire-names.ts'
import { Field } from '../../../forms/field.tsx'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { RESPONSE_CACHES, tagsOf } from './key-draft.ts'
import type { DraftFieldsProps } from './limit-fields.tsx'

interface ReachFieldsProps extends DraftFieldsProps {
  readonly groups: readonly GroupView[]
}

/** What the key reaches: models, other groups, and from where. */
export function ReachFields(props: ReachFieldsProps): ReactNode {
  const t = useTexts('keys').form
  const { draft, change, errorOf, groups } = props
  const format = useFormat()
  const models = useQuery(modelsQuery).data ?? []
  const reached = new Set([draft.group, ...draft.fallbackGroups])
  // Only a group that keeps answers has any to give.
  const keepsAnswers = groups.some(({ name, cache }) => cache !== null && reached.has(name))
  const offered = models.filter((model) => model.groups.some((group) => reached.has(group.name)))
  return (
    <>
      <Field name="allowed_models" label={t.models} isOptional hint={t.modelsHint} error={errorOf('allowed_models')}>
        {(control) => (
          <MultiCombobox
            {...control}
            placeholder={t.modelsPlaceholder}
            options={offered.map((model) => ({
              value: model.name,
              label: model.name,
              detail: format.list(model.protocols.map(wireName)),
            }))}
            values={draft.allowedModels}
            onValues={(allowedModels) => change({ allowedModels })}
          />
        )}
      </Field>
      <TextAreaField
        name="allowed_ips"
        label={t.ips}
        isOptional
        hint={t.ipsHint}
        error={errorOf('allowed_ips')}
        rows={2}
        spellCheck={false}
        className="font-mono"
        // Browsers bring the caret into sight, and it is the whole field that stands above the form's foot.
        onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest' })}
        value={draft.allowedIps}
        onValue={(text) => change({ allowedIps: text })}
      />
      {groups.length > 1 && <FallbackField {...props} />}
      <TagsField {...props} />
      {(keepsAnswers || draft.responseCache !== 'group') && (
        <SelectField
          name="response_cache"
          label={t.responseCache}
          hint={t.responseCacheHint}
          error={errorOf('response_cache')}
          options={RESPONSE_CACHES.map((value) => ({ value, label: t.responseCaches[value] }))}
          value={draft.responseCache}
          onValue={(responseCache) => change({ responseCache })}
        />
      )}
    </>
  )
}

/** The groups that are asked where the key's own cannot answer. */
function FallbackField({ draft, change, errorOf, groups }: ReachFieldsProps): ReactNode {
  const t = useTexts('keys').form
  return (
    <Field
      name="fallback_groups"
      label={t.fallback}
      isOptional
      hint={t.fallbackHint}
      error={errorOf('fallback_groups')}
    >
      {(control) => (
        <MultiCombobox
          {...control}
          placeholder={t.fallbackPlaceholder}
          options={groups
            .filter((group) => group.name !== draft.group)
            .map((group) => ({
              value: group.name,
              label: group.name,
              detail: `${formatMultiplier(group.multiplier)} · ${t.groupModels(group.model_count)}`,
              isDisabled: !group.enabled || !group.usable,
            }))}
          values={draft.fallbackGroups.filter((name) => name !== draft.group)}
          onValues={(fallbackGroups) => change({ fallbackGroups })}
        />
      )}
    </Field>
  )
}

/** A custom secret. Off unless it is asked for. */
export function CustomKeyFields({ draft, change, errorOf }: DraftFieldsProps): ReactNode {
  const t = useTexts('keys').form
  return (
    <div className="grid grid-cols-1 gap-2">
      <Switch
        checked={draft.isCustom}
        onChecked={(isCustom) => change({ isCustom, customKey: '' })}
        label={t.custom}
        hint={t.customHint}
      />
      {draft.isCustom && (
        <TextField
          name="custom_key"
          label={t.customKey}
          hint={t.customKeyHint}
          type="password"
          isSecret
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          value={draft.customKey}
          onValue={(customKey) => change({ customKey })}
          error={errorOf('custom_key')}
        />
      )}
    </div>
  )
}

/** So many tags of other keys are offered, the most used first. */
const MOST_OFFERED = 8

/** The tags under which the key's use is summed: typed, or taken from other keys with a press. */
function TagsField({ draft, change, errorOf }: DraftFieldsProps): ReactNode {
  const t = useTexts('keys').form
  const known = useQuery(keyTagsQuery).data?.data ?? []
  const chosen = tagsOf(draft.tags)
  const offered = known.filter(({ tag }) => !chosen.includes(tag)).slice(0, MOST_OFFERED)
  return (
    <div>
      <TextField
        name="tags"
        label={t.tags}
        isOptional
        hint={t.tagsHint}
        value={draft.tags}
        onValue={(tags) => change({ tags })}
        error={errorOf('tags')}
      />
      {offered.length > 0 && (
        <div role="group" aria-label={t.tagsOffered} className="mt-2 flex flex-wrap gap-1.5">
          {offered.map(({ tag }) => (
            <button
              key={tag}
              type="button"
              aria-label={t.addTag(tag)}
              className="min-h-6 touch:min-h-11 rounded-sm bg-chip px-2 text-sm text-ink-2 hover:bg-accent-soft hover:text-accent"
              onClick={() => change({ tags: [...chosen, tag].join(', ') })}
            >
              + {tag}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
