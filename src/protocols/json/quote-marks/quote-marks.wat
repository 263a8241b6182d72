;; Where the quotes of JSON are that no backslash escapes, and where \u is, 64 bytes at a time. quote-marks-code.ts has it compiled;
;; test/architecture/compiled-code.test.ts compiles it anew. What escapes what is worked out as simdjson does it (Langdale and Lemire, "Parsing Gigabytes
;; of JSON per Second", 2019, section 3.1.1): the first backslash of each run is an escape, and then every other one.
(module
  ;; 64 KB of input, a list of as many offsets of quotes, and one of half as many of \u.
  (memory (export "memory") 7)
  (global $unicode (export "unicode") (mut i32) (i32.const 0))

  ;; A bit for each of the 64 bytes at $at that is the one in $of.
  (func $bits (param $at i32) (param $of v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $of))))
        (i64.shl
          (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $of))))
          (i64.const 16)))
      (i64.or
        (i64.shl
          (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $of))))
          (i64.const 32))
        (i64.shl
          (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $of))))
          (i64.const 48)))))

  ;; Writes the offset of each bit, counted from $at, and returns where the list ends.
  (func $list (param $out i32) (param $at i32) (param $mask i64) (result i32)
    (block $done
      (loop $next
        (br_if $done (i64.eqz (local.get $mask)))
        (i32.store (local.get $out) (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $mask)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $mask (i64.and (local.get $mask) (i64.sub (local.get $mask) (i64.const 1))))
        (br $next)))
    (local.get $out))

  ;; Marks the first $length bytes, of which no byte before them escapes the first. What is behind them, up to a multiple of
  ;; 64, must be zero. Returns how many quotes there are; how many \u, is left in $unicode.
  (func (export "mark") (param $length i32) (result i32)
    (local $at i32)
    (local $quotes i32)
    (local $unicodes i32)
    (local $quoted i64)
    (local $backslash i64)
    (local $isEscaped i64)
    (local $begins i64)
    (local $series i64)
    (local $escaped i64)
    (local.set $quotes (i32.const 0x10000))
    (local.set $unicodes (i32.const 0x50000))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $quoted (call $bits (local.get $at) (i8x16.splat (i32.const 0x22))))
        (local.set $backslash (call $bits (local.get $at) (i8x16.splat (i32.const 0x5c))))
        (if (i64.eqz (i64.or (local.get $backslash) (local.get $isEscaped)))
          (then
            (local.set $quotes (call $list (local.get $quotes) (local.get $at) (local.get $quoted))))
          (else
            (local.set $begins
              (i64.and (local.get $backslash) (i64.xor (local.get $isEscaped) (i64.const -1))))
            (local.set $series
              (i64.xor
                (i64.sub
                  (i64.or (i64.shl (local.get $begins) (i64.const 1)) (i64.const 0xaaaaaaaaaaaaaaaa))
                  (local.get $begins))
                (i64.const 0xaaaaaaaaaaaaaaaa)))
            (local.set $escaped
              (i64.xor (local.get $series) (i64.or (local.get $backslash) (local.get $isEscaped))))
            (local.set $isEscaped
              (i64.shr_u (i64.and (local.get $series) (local.get $backslash)) (i64.const 63)))
            (local.set $quotes
              (call $list (local.get $quotes) (local.get $at)
                (i64.and (local.get $quoted) (i64.xor (local.get $escaped) (i64.const -1)))))
            (local.set $unicodes
              (call $list (local.get $unicodes) (local.get $at)
                (i64.and (local.get $escaped)
                  (call $bits (local.get $at) (i8x16.splat (i32.const 0x75))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $block)))
    (global.set $unicode (i32.shr_u (i32.sub (local.get $unicodes) (i32.const 0x50000)) (i32.const 2)))
    (i32.shr_u (i32.sub (local.get $quotes) (i32.const 0x10000)) (i32.const 2))))
