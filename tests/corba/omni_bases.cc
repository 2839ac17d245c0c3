// A server of bases.idl with omniORB, which takes all values for those of their base.
#include "bases.hh"
#include <iostream>

static CORBA::ORB_var orb;

class Base : public virtual OBV_Heirs::Base, public virtual CORBA::DefaultValueRefCountBase {};
struct BaseFactory : public virtual CORBA::ValueFactoryBase {
    CORBA::ValueBase *create_for_unmarshal() override { return new Base; }
};

class Servant : public POA_Heirs::Scale {
public:
    CORBA::Long weigh(const Heirs::Bases &given, Heirs::Base *one, CORBA::Long last) override
    {
        CORBA::Long weight = last + (one ? one->number() : 0) * 100;
        for (CORBA::ULong i = 0; i < given.length(); i++)
            weight += given[i].in() ? given[i]->number() * (CORBA::Long)(i + 1) : 0;
        return weight;
    }
    void shut_down() override { orb->shutdown(false); }
};

int main(int argc, char **argv)
{
    orb = CORBA::ORB_init(argc, argv);
    CORBA::ValueFactoryBase_var factory = new BaseFactory;
    orb->register_value_factory("IDL:example.org/Heirs/Base:1.0", factory);
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var adapter = PortableServer::POA::_narrow(root);
    Servant servant;
    PortableServer::ObjectId_var id = adapter->activate_object(&servant);
    Heirs::Scale_var scale = servant._this();
    CORBA::String_var text = orb->object_to_string(scale);
    std::cout << text << std::endl;
    PortableServer::POAManager_var manager = adapter->the_POAManager();
    manager->activate();
    orb->run();
    orb->destroy();
    return 0;
}
