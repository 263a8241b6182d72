import type { Editor } from './editor.ts'
import { JSON_FILE } from './json-file.ts'
import { ENV_FILE, SHELL_BLOCK, WHOLE_FILE, YAML_FILE } from './line-files.ts'
import { TOML_FILE } from './toml-file.ts'

/** The formats by the names that records of changes have for them. */
export const FORMATS = {
  json: JSON_FILE,
  toml: TOML_FILE,
  yaml: YAML_FILE,
  env: ENV_FILE,
  shell: SHELL_BLOCK,
  whole: WHOLE_FILE,
} as const satisfies Readonly<Record<string, Editor>>

export type Format = keyof typeof FORMATS
