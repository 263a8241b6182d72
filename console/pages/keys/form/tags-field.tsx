import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keyTagsQuery } from '../../../api/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { tagsOf } from './key-draft.ts'
import type { DraftFieldsProps } from './limit-fields.tsx'

/** So many tags of other keys are offered, the most used first. */
const MOST_OFFERED = 8

/** The tags under which the key's use is summed: typed, or taken from other keys with a press. */
export function TagsField({ draft, change, errorOf }: DraftFieldsProps): ReactNode {
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
