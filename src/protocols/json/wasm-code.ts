/** What is used of it here: its types stand with those of browsers. */
declare const WebAssembly: {
  validate(code: Buffer): boolean
  readonly Module: new (code: Buffer) => object
  readonly Instance: new (compiled: object) => { readonly exports: object }
}

/** What this code exports; null where the processor or its Node has no vectors. */
export function openCode(base64: string): object | null {
  const code = Buffer.from(base64, 'base64')
  if (!WebAssembly.validate(code)) return null
  return new WebAssembly.Instance(new WebAssembly.Module(code)).exports
}
