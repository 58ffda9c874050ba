package tune

// Pasted are texts that people paste with a question about the code at hand. A
// prompt with one is long and full of rare words, and needs no skill all the same.
var Pasted = []string{
	`panic: runtime error: index out of range [5] with length 5

goroutine 1 [running]:
main.(*Buffer).At(...)
	/home/dev/app/buffer.go:42
main.process(0xc0000b2000, 0x5)
	/home/dev/app/process.go:118 +0x1d4
main.main()
	/home/dev/app/main.go:27 +0x85
exit status 2`,
	`Traceback (most recent call last):
  File "/srv/etl/run.py", line 88, in <module>
    main()
  File "/srv/etl/run.py", line 61, in main
    rows = load(cfg["source"], parse_dates=True)
  File "/srv/etl/io.py", line 23, in load
    return pd.read_csv(path, **kwargs)
UnicodeDecodeError: 'utf-8' codec can't decode byte 0xb0 in position 11: invalid start byte`,
	`npm ERR! code ERESOLVE
npm ERR! ERESOLVE unable to resolve dependency tree
npm ERR! While resolving: shop@0.4.1
npm ERR! Found: react@18.2.0
npm ERR! Could not resolve dependency:
npm ERR! peer react@"^17.0.0" from react-lazy-grid@2.1.0`,
	`TypeError: Cannot read properties of undefined (reading 'map')
    at OrderList (webpack-internal:///./src/components/OrderList.tsx:31:24)
    at renderWithHooks (webpack-internal:///./node_modules/react-dom/cjs/react-dom.development.js:14985:18)
    at mountIndeterminateComponent (react-dom.development.js:17811:13)`,
	`src/lib/cache.rs:57:21: error[E0502]: cannot borrow ` + "`self.entries`" + ` as mutable because it is also borrowed as immutable
   |
55 |         let first = &self.entries[0];
   |                      ------------ immutable borrow occurs here
57 |         self.entries.push(item);
   |         ^^^^^^^^^^^^^^^^^^^^^^^ mutable borrow occurs here`,
	`FAIL  tests/cart.spec.ts > totals > applies the coupon once
AssertionError: expected 8100 to equal 9000
 ❯ tests/cart.spec.ts:44:31
     42|   cart.apply(coupon)
     43|   cart.apply(coupon)
     44|   expect(cart.total()).toEqual(9000)
Test Files  1 failed | 11 passed (12)`,
	`java.lang.NullPointerException: Cannot invoke "com.acme.User.getName()" because "user" is null
	at com.acme.web.ProfileController.show(ProfileController.java:73)
	at java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
	at org.springframework.web.method.support.InvocableHandlerMethod.doInvoke(InvocableHandlerMethod.java:205)`,
}

// Asks are what is asked around a pasted text.
var Asks = []string{
	"why does this fail?\n", "what's wrong here\n", "fix this:\n", "getting this error, any idea?\n",
	"이거 왜 이래?\n", "에러 나는데 고쳐줘\n", "이 로그 무슨 뜻이야\n", "",
}
