package main

func init() {
	register(Case{Name: "healthy", Kind: NoAct, Summary: "all is well"})
}
