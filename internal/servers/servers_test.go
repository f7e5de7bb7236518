package servers

import "testing"

func TestPG(t *testing.T) {
	p := Postgres(t)
	r := PostgresReplica(t, p)
	p.Exec("CREATE TABLE a AS SELECT 1 AS b")
	_ = r
	p.Stop()
	p.Start()
}
func TestMaria(t *testing.T) {
	p := MariaDB(t)
	r := MariaDBReplica(t, p)
	p.Exec("CREATE TABLE shop.a AS SELECT 1 AS b")
	_ = r
	p.Stop()
	p.Start()
}
func TestRedis(t *testing.T) {
	p := Redis(t, "foo")
	r := RedisReplica(t, p)
	_ = r
	p.Pause()
	p.Stop()
	p.Start()
}
